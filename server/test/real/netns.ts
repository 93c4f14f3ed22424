import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ConnectOrder, FetchOrder, Order, Reply } from './netns-agent.ts';
import { type RunningProcess, searchPath, startProcess } from './running-process.ts';

/** A separate network: only loopback until it is linked to another. */
export interface NetSpace {
  /** Command prefix that runs a program inside. */
  readonly enter: readonly string[];
  /** Runs a program inside until it ends; resolves to its output. */
  run(program: string, ...args: string[]): Promise<string>;
  /** Starts a program inside. */
  start(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): RunningProcess;
  fetch(order: FetchOrder): Promise<{ status: number; text: string }>;
  /** Tries a TCP connection from inside: `open`, `timeout`, or the error's code. */
  connect(order: ConnectOrder): Promise<string>;
}

/** A server and a client machine connected by one cable. */
export interface NetPair {
  readonly server: NetSpace;
  readonly client: NetSpace;
  /** For files of the programs that run in here. */
  readonly folder: string;
  /** Ends every process inside, which removes the networks, and deletes the files. */
  close(): Promise<void>;
}

interface Way {
  readonly make: readonly string[];
  readonly enter: readonly string[];
}

const WAYS: readonly Way[] = [
  { make: ['unshare', '--net'], enter: ['--net'] },
  // Without root: the creator is root only inside its own user namespace.
  {
    make: ['unshare', '--user', '--map-root-user', '--net'],
    enter: ['--user', '--preserve-credentials', '--net'],
  },
];

/** How to make network namespaces on this machine; `undefined` if it is not permitted. */
export function findNamespaces(): Way | undefined {
  return WAYS.find(({ make: [program = '', ...args] }) => {
    const probe = [...args, 'ip', 'link', 'set', 'lo', 'up'];
    return spawnSync(program, probe, { stdio: 'ignore', env: { PATH: searchPath() } }).status === 0;
  });
}

/**
 * The server has `serverAddresses`, the client `clientAddresses` (all with prefix). Loopback addresses would not do
 * because the service refuses to ban them.
 */
export async function createNetPair(
  serverAddresses: readonly string[],
  clientAddresses: readonly string[],
): Promise<NetPair> {
  const way = findNamespaces();
  if (!way) throw new Error('this user may not make network namespaces');
  const processes = new Set<RunningProcess>();
  const agents: ChildProcess[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'pbxcore-net-'));
  const close = async () => {
    await Promise.all([...processes].map((started) => started.stop('SIGKILL')));
    for (const agent of agents) {
      const gone = once(agent, 'exit');
      if (agent.kill('SIGKILL')) await gone;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const first = await startAgent(way.make);
    const enterFirst = ['nsenter', '--target', String(first.pid), ...way.enter];
    const second = await startAgent([...enterFirst, 'unshare', '--net']);
    const server = space(first, enterFirst);
    // It shares the first one's user namespace, which can be entered only once.
    const client = space(second, [...enterFirst, 'nsenter', '--target', String(second.pid), '--net']);
    await server.run(
      'ip',
      'link',
      'add',
      'lan',
      'type',
      'veth',
      'peer',
      'name',
      'lan',
      'netns',
      String(second.pid),
    );
    await setUp(server, serverAddresses);
    await setUp(client, clientAddresses);
    return { server, client, folder, close };
  } catch (error) {
    await close();
    throw error;
  }

  async function startAgent(words: readonly string[]): Promise<ChildProcess> {
    const [program = '', ...args] = words;
    const agent = spawn(program, [...args, process.execPath, join(import.meta.dirname, 'netns-agent.ts')], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { PATH: searchPath() },
    });
    agents.push(agent);
    await new Promise<void>((resolve, reject) => {
      agent.once('message', () => resolve());
      agent.once('error', reject);
      agent.once('exit', (code) => reject(new Error(`no network namespace: ${program} ended with ${code}`)));
    });
    return agent;
  }

  function space(agent: ChildProcess, enter: readonly string[]): NetSpace {
    const ask = asker(agent);
    return {
      enter,
      async run(program, ...args) {
        const words = [...enter.slice(1), program, ...args];
        const env = { PATH: searchPath() };
        return (await promisify(execFile)(enter[0] as string, words, { env })).stdout;
      },
      start(program, args, env = {}) {
        const started = startProcess(program, args, { within: enter, env });
        processes.add(started);
        return started;
      },
      fetch: (order) => ask({ call: 'fetch', ...order }),
      connect: (order) => ask({ call: 'connect', ...order }),
    };
  }
}

async function setUp(space: NetSpace, addresses: readonly string[]): Promise<void> {
  await space.run('ip', 'link', 'set', 'lo', 'up');
  await space.run('ip', 'link', 'set', 'lan', 'up');
  for (const address of addresses) {
    // Without `nodad` an IPv6 address is not usable for its first second.
    const flags = address.includes(':') ? ['nodad'] : [];
    await space.run('ip', 'address', 'add', address, 'dev', 'lan', ...flags);
  }
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

function asker(agent: ChildProcess) {
  const waiting = new Map<number, (reply: Reply) => void>();
  let last = 0;
  agent.on('message', (reply: Reply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  agent.on('exit', () => {
    for (const [id, settle] of waiting) settle({ id, error: 'the network is gone' });
  });
  return <T>(order: WithoutId<Order>): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, ({ result, error }) => (error ? reject(new Error(error)) : resolve(result as T)));
      agent.send({ id, ...order });
    });
}
