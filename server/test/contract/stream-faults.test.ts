import { describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD, type Stores, storePairs } from '../make-app.ts';
import { type ServiceProcess, startService } from '../real/pbxcore-process.ts';
import { createFickleBouncer, ENDINGS } from './fickle-bouncer.ts';

const KEYS = 6;
const WRITERS = 4;
const ADDRESSES = 40;

/** An operator's knowledge about an address: `unsure` from the request until its answer. */
type Truth = 'banned' | 'free' | 'unsure';

const [embedded, servers] = storePairs;

describe.each([
  { name: 'one node with embedded keys, killed', pair: embedded, nodes: 1, polls: 2500, kills: 4 },
  { name: 'two nodes in turn', pair: servers, nodes: 2, polls: 4500, kills: 0 },
  {
    name: 'three nodes in turn, which are killed, and Redis too',
    pair: servers,
    nodes: 3,
    polls: 3500,
    kills: 4,
  },
])('contract 17.16 and 17.17 on $name', ({ name, pair, nodes, polls, kills }) => {
  test.skipIf(!pair?.available)(
    'however an answer ends, no removal is lost, none is invented, and no list is incomplete',
    { timeout: 600_000 },
    async () => {
      const stores = await pair!.open();
      const rig = await startNodes(stores, nodes);
      try {
        const counts = await play(rig, { polls, kills, redis: stores.redis });
        console.info(`${name}: ${JSON.stringify(counts)}`);
        expect(counts).toMatchObject({ lost: 0, invented: 0, short: 0, stale: 0 });
      } finally {
        await rig.end();
        await stores.stop();
      }
    },
  );
});

interface Nodes {
  readonly services: ServiceProcess[];
  readonly operator: string;
  readonly bouncers: string[];
  /** Resolves to the port of a node once it is running. */
  port(node: number): Promise<number>;
  restart(node: number): Promise<void>;
  end(): Promise<void>;
}

async function startNodes(stores: Stores, count: number): Promise<Nodes> {
  const settings = {
    ...stores.settings,
    PBXCORE_ADMIN_PASSWORD: ADMIN_PASSWORD,
    PBXCORE_LOG_LEVEL: 'silent',
    PBXCORE_RATE_LIMIT_ANONYMOUS: '0',
  };
  const services: ServiceProcess[] = [];
  const starting = new Map<number, Promise<ServiceProcess>>();
  for (let i = 0; i < count; i++) services.push(await startService(settings));
  const { origin } = services[0] as ServiceProcess;
  const login = await call(origin, '/auth:login', '', { login: 'admin', password: ADMIN_PASSWORD });
  const makeKey = async (fields: object): Promise<string> => {
    const answer = await call(origin, '/api-keys', login?.accessToken, { description: 'test', ...fields });
    return answer?.key;
  };
  const bouncers: string[] = [];
  for (let i = 0; i < KEYS; i++)
    bouncers.push(await makeKey({ allowed_paths: { '/api/v3/firewall-bouncer': 'read' } }));
  return {
    services,
    operator: await makeKey({ full_permissions: true }),
    bouncers,
    async port(node) {
      await starting.get(node);
      return Number(new URL((services[node] as ServiceProcess).origin).port);
    },
    async restart(node) {
      await services[node]?.end('SIGKILL');
      const started = startService(settings);
      starting.set(node, started);
      services[node] = await started;
    },
    async end() {
      for (const service of services) await service.end('SIGKILL');
    },
  };
}

/** Resolves to `data`, or to `undefined` if it failed and its effect is unknown. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
async function call(origin: string, path: string, credential: string, body: object): Promise<any> {
  try {
    const response = await fetch(`${origin}/pbxcore/api/v3${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.ok ? ((await response.json()) as { data: unknown }).data : undefined;
  } catch {
    return undefined;
  }
}

async function play(
  rig: Nodes,
  { polls, kills, redis }: { polls: number; kills: number; redis: Stores['redis'] },
): Promise<Record<string, number>> {
  const counts = {
    polls: 0,
    applied: 0,
    cut: 0,
    told: 0,
    lost: 0,
    invented: 0,
    short: 0,
    stale: 0,
    kills: 0,
  };
  const truths = new Map<string, { truth: Truth; since: number }>();
  /** Step of the whole history: anything true before a poll and unchanged until its end must appear in it. */
  let moment = 0;
  let over = false;
  let nextPoll = Promise.withResolvers<void>();
  const anyNode = () => Math.floor(Math.random() * rig.services.length);

  async function write(address: string, banned: boolean): Promise<void> {
    truths.set(address, { truth: 'unsure', since: moment++ });
    const [path, fields] = banned
      ? ['/firewall:banIp', { category: 'sip', seconds: 86_400 }]
      : ['/firewall:unbanIp', {}];
    while (!over || truths.get(address)?.truth === 'unsure') {
      const node = anyNode();
      const { origin } = rig.services[node] as ServiceProcess;
      const done = await call(origin, path as string, rig.operator, { ip: address, ...(fields as object) });
      if (done === undefined) {
        await rig.port(node);
        continue;
      }
      truths.set(address, { truth: banned ? 'banned' : 'free', since: moment++ });
      return;
    }
  }

  async function runWriter(writer: number): Promise<void> {
    while (!over) {
      const address = `198.18.${writer}.${Math.floor(Math.random() * ADDRESSES)}`;
      await write(address, truths.get(address)?.truth !== 'banned');
    }
  }

  async function runBouncer(key: string): Promise<void> {
    const clients = rig.services.map(() => createFickleBouncer(key));
    const blocked = new Set<string>();
    for (let turn = 0; counts.polls < polls || turn % rig.services.length > 0; turn++) {
      const node = turn % rig.services.length;
      const ending = ENDINGS[Math.floor(Math.random() * ENDINGS.length)] ?? 'kept';
      await pollOnce(clients[node]!, node, ending, blocked);
    }
    // Whatever happened, the last poll brings the remaining changes.
    await pollOnce(clients[0]!, 0, 'kept', blocked);
    for (const client of clients) client.close();
  }

  async function pollOnce(
    client: ReturnType<typeof createFickleBouncer>,
    node: number,
    ending: (typeof ENDINGS)[number],
    blocked: Set<string>,
  ): Promise<void> {
    const began = moment++;
    const answer = await client.poll(await rig.port(node), ending);
    counts.polls++;
    nextPoll.resolve();
    nextPoll = Promise.withResolvers();
    if (!answer) return void counts.cut++;
    counts.applied++;
    counts.told += answer.deleted.length;
    const listed = new Set(answer.new.map(({ value }) => value));
    for (const { value } of answer.deleted) {
      if (listed.has(value) || !truths.has(value)) counts.invented++;
      blocked.delete(value);
    }
    for (const value of listed) blocked.add(value);
    for (const value of blocked) {
      if (listed.has(value)) continue;
      counts.lost++;
      blocked.delete(value);
    }
    for (const [address, { truth, since }] of truths) {
      if (since >= began) continue;
      if (truth === 'banned' && !listed.has(address)) counts.short++;
      if (truth === 'free' && listed.has(address)) counts.stale++;
    }
  }

  async function runKiller(): Promise<void> {
    for (let kill = 1; kill <= kills; kill++) {
      const at = (polls * kill) / (kills + 1);
      while (counts.polls < at) await nextPoll.promise;
      counts.kills++;
      if (redis && kill % 2 === 0) {
        await redis.kill();
        await redis.restart();
      } else await rig.restart(anyNode());
    }
  }

  const writers = Array.from({ length: WRITERS }, (_, writer) => runWriter(writer));
  await Promise.all([...rig.bouncers.map(runBouncer), runKiller()]);
  over = true;
  await Promise.all(writers);
  return counts;
}
