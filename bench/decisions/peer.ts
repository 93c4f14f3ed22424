import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Running, startServer } from '../service/processes.ts';
import type { BenchBan } from './bans.ts';

export interface Peer extends Running {
  readonly port: number;
  readonly key: string;
  load(bans: readonly BenchBan[]): void;
}

/** Only the distribution's CrowdSec LAPI: SQLite, no agent, no central API, nothing outside a temporary folder. */
export async function startPeer(): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-peer-'));
  const port = await freePort();
  const file = (name: string) => join(folder, name);
  for (const name of ['data', 'hub']) mkdirSync(file(name));
  writeFileSync(file('hub/.index.json'), '{}');
  writeFileSync(file('simulation.yaml'), 'simulation: off\n');
  writeFileSync(
    file('profiles.yaml'),
    'name: bench\nfilters: ["false"]\ndecisions: [{type: ban, duration: 4h}]\non_success: break\n',
  );
  writeFileSync(file('login.yaml'), `url: http://127.0.0.1:${port}\nlogin: bench\npassword: bench-only\n`);
  // JSON is YAML.
  writeFileSync(file('config.yaml'), JSON.stringify(settings(folder, port)));
  const cscli = (...args: string[]) =>
    execFileSync('cscli', ['-c', file('config.yaml'), ...args], { encoding: 'utf8', stdio: 'pipe' });
  cscli('machines', 'add', 'bench', '--password', 'bench-only', '--force', '-f', file('login.yaml'));
  const key = cscli('bouncers', 'add', 'bench', '-o', 'raw').trim();
  const argv = ['sh', '-c', 'echo starting; exec crowdsec -no-cs -c "$0"', file('config.yaml')];
  const { pid, stop } = await startServer(argv, /starting/);
  await untilHealthy(port);
  return {
    pid,
    port,
    key,
    load(bans) {
      // All of the same duration, its best case: with durations as varied as ours, its empty answer costs 7 times more.
      const list = bans.map(({ category, value }) => ({
        duration: '4h',
        origin: 'bench',
        reason: `pbx/${category}`,
        scope: value.includes('/') ? 'Range' : 'Ip',
        type: 'ban',
        value,
      }));
      writeFileSync(file('import.json'), JSON.stringify(list));
      cscli('decisions', 'import', '-i', file('import.json'));
    },
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function settings(folder: string, port: number): object {
  const file = (name: string) => join(folder, name);
  const level = { log_level: 'error' };
  return {
    common: { daemonize: false, log_media: 'file', log_dir: `${folder}/`, ...level, working_dir: folder },
    config_paths: {
      config_dir: folder,
      data_dir: file('data'),
      simulation_path: file('simulation.yaml'),
      hub_dir: file('hub'),
      index_path: file('hub/.index.json'),
    },
    cscli: { output: 'human' },
    db_config: {
      ...level,
      type: 'sqlite',
      db_path: file('data/crowdsec.db'),
      use_wal: true,
      flush: { max_items: 1_000_000, max_age: '7d' },
    },
    api: {
      client: { credentials_path: file('login.yaml') },
      server: { ...level, listen_uri: `127.0.0.1:${port}`, profiles_path: file('profiles.yaml') },
    },
    prometheus: { enabled: false },
  };
}

/** LAPI cannot choose a free port itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

async function untilHealthy(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    if (answer?.ok) return;
    await wait(50);
  }
  throw new Error('the CrowdSec LAPI does not answer');
}
