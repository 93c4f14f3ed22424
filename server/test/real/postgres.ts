import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

const CACHE_DIR = join(import.meta.dirname, '../../../node_modules/.cache/pbxcore-postgres');

/** A private PostgreSQL server on loopback; its files are in a temporary folder that `stop` removes. */
export interface PostgresServer {
  readonly url: string;
  /** A new, empty database on this server; resolves to its address. */
  createDatabase(name: string): Promise<string>;
  /** Shuts it down and removes its files. */
  stop(): Promise<void>;
  /** Ends it without warning, as a crash would; `restart` brings it back on the same port with its data. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Suspends every process of the server: connections stay open, but nothing answers. */
  pause(): void;
  resume(): void;
}

/** The folder with the newest server's programs. */
export function findPostgres(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const debian = versions.map((version) => join(root, version, 'bin'));
  const path = (process.env.PATH ?? '').split(':').filter(Boolean);
  return [...debian, ...path].find((folder) => existsSync(join(folder, 'initdb')));
}

/** A plain connection, as another program would open it. */
export async function connectPostgres(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

export async function startPostgres(): Promise<PostgresServer> {
  const bin = findPostgres();
  if (!bin) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-pg-'));
  const owner = serverUser();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const run = { ...owner, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
  const data = join(folder, 'data');
  const password = copyNewServer(bin, run, data);

  let port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=off',
    'full_page_writes=off',
    'shared_buffers=16MB',
    'max_connections=60',
  ].flatMap((setting) => ['-c', setting]);

  const start = async () => {
    const child = spawn(join(bin, 'postgres'), ['-D', data, '-c', `port=${port}`, ...settings], {
      ...run,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(child, 'exit');
    let log = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (chunk: Buffer) => {
        log = (log + chunk).slice(-4000);
        if (log.includes('database system is ready to accept connections')) resolve();
      });
      child.on('error', reject);
      child.on('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${log}`)));
    });
    return { pid: child.pid as number, exited };
  };

  /** The port may be taken between check and bind, and a killed server's memory is freed a moment late. */
  const insist = async (again: () => Promise<void>) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await start();
      } catch (error) {
        if (attempt === 5) throw error;
        await again();
      }
    }
  };
  let server = await insist(async () => {
    port = await freePort();
  });
  let running = true;
  const signal = (name: NodeJS.Signals) => {
    // Each backend has its own session, so signalling a process group does not reach it.
    for (const pid of [server.pid, ...childrenOf(server.pid)]) {
      try {
        process.kill(pid, name);
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
      }
    }
  };
  const removeFiles = () => rmSync(folder, { recursive: true, force: true });
  const abandon = () => {
    if (running) signal('SIGKILL');
    removeFiles();
  };
  process.once('exit', abandon);

  const address = (database: string) => `postgres://pbxcore:${password}@127.0.0.1:${port}/${database}`;
  return {
    url: address('postgres'),
    async createDatabase(name) {
      const client = new pg.Client(address('postgres'));
      await client.connect();
      try {
        await client.query(`create database ${client.escapeIdentifier(name)}`);
      } finally {
        await client.end();
      }
      return address(encodeURIComponent(name));
    },
    async stop() {
      if (running) {
        signal('SIGCONT');
        process.kill(server.pid, 'SIGINT');
        await server.exited;
        running = false;
      }
      process.removeListener('exit', abandon);
      removeFiles();
    },
    async kill() {
      signal('SIGKILL');
      await server.exited;
      running = false;
    },
    async restart() {
      server = await insist(() => pause(200));
      running = true;
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
  };
}

/**
 * Puts the files of a new server into `data` and returns its password. They are created once per machine, because
 * copying takes a third of the time.
 */
function copyNewServer(bin: string, run: { cwd: string }, data: string): string {
  const version = execFileSync(join(bin, 'postgres'), ['--version'], run)
    .toString()
    .replace(/[^\w.]+/g, '-');
  const kept = join(CACHE_DIR, `${version}${process.getuid?.()}`);
  if (!existsSync(kept)) keepNewServer(bin, run, kept);
  copy(join(kept, 'data'), data);
  return readFileSync(join(kept, 'password'), 'utf8');
}

function keepNewServer(bin: string, run: { cwd: string; uid?: number; gid?: number }, kept: string): void {
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(run.cwd, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (run.uid !== undefined) chownSync(passwordFile, run.uid, run.gid as number);
  const made = join(run.cwd, 'new');
  const options = ['-D', made, '-U', 'pbxcore', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  execFileSync(join(bin, 'initdb'), [...options, '-E', 'UTF8', '--locale=C', '--no-sync'], {
    ...run,
    stdio: 'pipe',
  });
  mkdirSync(CACHE_DIR, { recursive: true });
  const whole = mkdtempSync(join(CACHE_DIR, 'unfinished-'));
  copy(made, join(whole, 'data'));
  writeFileSync(join(whole, 'password'), password, { mode: 0o600 });
  try {
    renameSync(whole, kept);
  } catch (error) {
    // Another test was faster.
    rmSync(whole, { recursive: true });
    if (!existsSync(kept)) throw error;
  }
}

/** Keeps the owner, which `cpSync` does not. */
const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to], { stdio: 'pipe' });

/** PostgreSQL refuses to run as root. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!user) throw new Error('PostgreSQL needs a user other than root: neither postgres nor nobody exists');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  const list = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return list.split(' ').filter(Boolean).map(Number);
}
