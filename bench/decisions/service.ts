import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import packageJson from '../../package.json' with { type: 'json' };
import { systemClock, systemSteadyClock } from '../../server/src/lib/clock.ts';
import { openSql } from '../../server/src/store/sql/open.ts';
import { createEmbeddedTtlStore } from '../../server/src/store/ttl/embedded-ttl-store.ts';
import { type BenchBan, banKey } from './bans.ts';
import { openPoller, type Poller } from './poller.ts';
import { type Running, startServer } from './processes.ts';
import { startBenchRedis } from './redis.ts';

export const storeNames = ['Redis', 'embedded'] as const;
export type StoreName = (typeof storeNames)[number];

export interface Service extends Running {
  readonly port: number;
  /** Bans that come and go while the service runs: straight into Redis, or through the API. */
  write(bans: readonly BenchBan[]): Promise<void>;
  lift(bans: readonly BenchBan[]): Promise<void>;
  /** As administrator, through the API. */
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown>;
  createKey(): Promise<string>;
  /** A connection that polls with a new key, the first answer already taken. */
  bouncer(headers?: Readonly<Record<string, string>>): Promise<Poller>;
  /** Rows of API keys that nobody uses. */
  addUnusedKeys(count: number): Promise<void>;
}

const API = '/pbxcore/api/v3';
export const STREAM = `${API}/firewall-bouncer/v1/decisions/stream`;
export const PROBE = `${API}/firewall-bouncer/v1/decisions`;
const PASSWORD = 'only-for-this-run';

/** The real service in a process of its own, with so many bans in its store from the start. */
export async function startService(
  store: StoreName,
  bans: readonly BenchBan[],
  databaseUrl?: string,
): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-service-'));
  // Also when a run breaks off.
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const redis = store === 'Redis' ? await startBenchRedis() : undefined;
  if (redis) await redis.write(bans);
  else await seedEmbedded(join(dataDir, 'ttl.sqlite'), bans);
  const profile = process.env.BENCH_PROFILE;
  const flags = [...nodeFlags(), ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [])];
  const { pid, match, stop } = await startServer(
    [process.execPath, ...flags, join(import.meta.dirname, 'service.process.ts')],
    /running on http:\/\/127\.0\.0\.1:(\d+)/,
    {
      ...startEnvironment(),
      PBXCORE_HTTP_HOST: '127.0.0.1',
      PBXCORE_HTTP_PORT: '0',
      PBXCORE_HTTPS_PORT: 'off',
      PBXCORE_DATA_DIR: dataDir,
      PBXCORE_ENGINE: 'none',
      PBXCORE_ADMIN_PASSWORD: PASSWORD,
      PBXCORE_RATE_LIMIT_ANONYMOUS: '0',
      PBXCORE_LOG_LEVEL: 'warn',
      ...(redis && { PBXCORE_REDIS_URL: redis.url }),
      ...(databaseUrl && { PBXCORE_DATABASE_URL: databaseUrl }),
    },
  );
  const port = Number(match[1]);

  let token: string | undefined;
  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, string>> {
    const answer = await fetch(`http://127.0.0.1:${port}${API}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { data: Record<string, string> }).data;
  }
  token = (await call('POST', '/auth:login', { login: 'admin', password: PASSWORD })).accessToken;

  async function createKey(): Promise<string> {
    const allowed_paths = { '/api/v3/firewall-bouncer': 'read' };
    return (await call('POST', '/api-keys', { description: 'bench', allowed_paths })).key as string;
  }

  return {
    pid,
    port,
    call,
    createKey,
    write:
      redis?.write ??
      (async (some) => {
        for (const { value: ip, category, seconds } of some)
          await call('POST', '/firewall:banIp', { ip, category, seconds });
      }),
    lift:
      redis?.lift ??
      (async (some) => {
        for (const { value: ip } of some) await call('POST', '/firewall:unbanIp', { ip });
      }),
    async bouncer(headers = {}) {
      const key = await createKey();
      const poller = await openPoller({ port, path: STREAM, headers: { 'x-api-key': key, ...headers } });
      // Until all bans have been read a poll is refused, never answered short.
      for (let tries = 0; (await poller.get()).status === 503 && tries < 100; tries++) await wait(100);
      return poller;
    },
    async addUnusedKeys(count) {
      const sql = await openSql({ url: databaseUrl, file: join(dataDir, 'pbxcore.sqlite') });
      for (let done = 0; done < count; done += 1000) {
        const rows = Array.from({ length: Math.min(1000, count - done) }, () => ({
          key_hash: randomBytes(32).toString('hex'),
          key_display: 'bench',
          created_at: Date.now(),
        }));
        await sql.db.insertInto('api_keys').values(rows).execute();
      }
      await sql.close();
    },
    async stop() {
      await stop();
      await redis?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Through the API 100 000 bans would take minutes, so the file is written before the service opens it. */
async function seedEmbedded(file: string, bans: readonly BenchBan[]): Promise<void> {
  const store = await createEmbeddedTtlStore({
    file,
    clock: systemClock,
    steady: systemSteadyClock,
    onError: (error) => {
      throw error;
    },
  });
  await Promise.all(bans.map((ban) => store.set(banKey(ban), '1', ban.seconds * 1000)));
  await store.close();
}

/** What `npm start` sets for the process, besides flags. */
export function startEnvironment(): Record<string, string> {
  const words = packageJson.scripts.start.split(' ').filter((word) => /^[A-Z_]+=/.test(word));
  return Object.fromEntries(words.map((word) => word.split('=') as [string, string]));
}

/** Those that `npm start` gives to Node. */
export function nodeFlags(): string[] {
  const { start } = packageJson.scripts;
  return start.split(' ').filter((word) => word.startsWith('--'));
}
