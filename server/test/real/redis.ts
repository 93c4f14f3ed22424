import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@redis/client';
import { freePort } from './free-port.ts';

export interface RealRedis {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
  /** SIGKILL; the data stays for `restart`. */
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
  /** A new process on the same port with the same data. */
  restart(): Promise<void>;
  flush(): Promise<void>;
}

const places = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin'];

const newModel = () => createClient();
let model: ReturnType<typeof newModel> | undefined;

/** A plain connection, as another program would open it. A duplicate, because creating a client takes 20 ms. */
export function connectRedis(url: string) {
  model ??= newModel();
  return model.duplicate({ url }).connect();
}

/** The path of a Redis (or Valkey) server on this machine. */
export function findRedis(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...places];
  return ['redis-server', 'valkey-server']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

export async function startRedis(): Promise<RealRedis> {
  const found = findRedis();
  if (!found) throw new Error('no redis-server on this machine');
  const server: string = found;
  const folder = await mkdtemp(join(tmpdir(), 'redis-'));
  let port = await freePort();
  let running: ChildProcess | undefined;
  // The port may be taken between check and bind.
  for (let attempt = 1; !running; attempt++) {
    try {
      running = await launch();
    } catch (error) {
      if (attempt === 5) throw error;
      port = await freePort();
    }
  }
  let child: ChildProcess = running;

  /** Every write reaches the file before it is answered, so that `kill` loses nothing. */
  async function launch(): Promise<ChildProcess> {
    const settings = {
      port: String(port),
      bind: '127.0.0.1',
      dir: folder,
      save: '',
      appendonly: 'yes',
      appendfsync: 'no',
      daemonize: 'no',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    const started = spawn(server, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const killWithUs = () => started.kill('SIGKILL');
    process.once('exit', killWithUs);
    started.once('exit', () => process.removeListener('exit', killWithUs));
    await ready(started);
    return started;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    child.kill('SIGCONT');
    await exited;
  }

  return {
    get url() {
      return `redis://127.0.0.1:${port}`;
    },
    get port() {
      return port;
    },
    get pid() {
      return child.pid ?? 0;
    },
    async stop() {
      await end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
    kill: () => end('SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async restart() {
      await end('SIGTERM');
      child = await launch();
    },
    async flush() {
      const client = await connectRedis(`redis://127.0.0.1:${port}`);
      await client.sendCommand(['FLUSHALL']);
      client.destroy();
    },
  };
}

/** Reads the log for as long as the server runs; a full pipe would block it. */
function ready(started: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    if (!started.stdout) throw new Error('redis-server has no output');
    createInterface({ input: started.stdout }).on('line', (line) => {
      if (said.push(line) > 50) said.shift();
      if (line.includes('Ready to accept connections')) resolve();
    });
    started.once('error', reject);
    started.once('exit', () => reject(new Error(`redis-server did not start:\n${said.join('\n')}`)));
  });
}
