import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, systemSteadyClock } from '../../server/src/lib/clock.ts';
import { openSql } from '../../server/src/store/sql/open.ts';
import { createEmbeddedTtlStore } from '../../server/src/store/ttl/embedded-ttl-store.ts';
import { openPoller, type Poller } from '../measure/poller.ts';
import { startBenchRedis } from '../service/redis.ts';
import { API, type Service, startService, temporaryFolder } from '../service/service.ts';
import { type BenchBan, banKey } from './bans.ts';

export const storeNames = ['Redis', 'embedded'] as const;
export type StoreName = (typeof storeNames)[number];

export interface DecisionService extends Service {
  /** Adds or lifts bans while the service runs: directly in Redis, or through the API. */
  write(bans: readonly BenchBan[]): Promise<void>;
  lift(bans: readonly BenchBan[]): Promise<void>;
  createBouncerKey(): Promise<string>;
  /** A connection that polls with a new key and has already received its first answer. */
  bouncer(headers?: Readonly<Record<string, string>>): Promise<Poller>;
  /** Inserts API keys that nobody uses. */
  addUnusedKeys(count: number): Promise<void>;
}

export const STREAM = `${API}/firewall-bouncer/v1/decisions/stream`;
export const PROBE = `${API}/firewall-bouncer/v1/decisions`;

/** The service with these bans in its store from the start. */
export async function startDecisionService(
  store: StoreName,
  bans: readonly BenchBan[],
  databaseUrl?: string,
): Promise<DecisionService> {
  const dataDir = temporaryFolder();
  const redis = store === 'Redis' ? await startBenchRedis() : undefined;
  const writeToRedis = (some: readonly BenchBan[]) =>
    redis?.send(some.map((ban) => `SET ${banKey(ban)} 1 EX ${ban.seconds}`));
  if (redis) await writeToRedis(bans);
  else await seedEmbedded(join(dataDir, 'ttl.sqlite'), bans);
  const service = await startService({
    dataDir,
    settings: {
      ...(redis && { PBXCORE_REDIS_URL: redis.url }),
      ...(databaseUrl && { PBXCORE_DATABASE_URL: databaseUrl }),
    },
  });
  const { port, call } = service;
  const createBouncerKey = () => service.createKey('/api/v3/firewall-bouncer');

  return {
    ...service,
    createBouncerKey,
    async write(some) {
      if (redis) return writeToRedis(some);
      for (const { value: ip, category, seconds } of some)
        await call('POST', '/firewall:banIp', { ip, category, seconds });
    },
    async lift(some) {
      if (redis) return redis.send(some.map((ban) => `DEL ${banKey(ban)}`));
      for (const { value: ip } of some) await call('POST', '/firewall:unbanIp', { ip });
    },
    async bouncer(headers = {}) {
      const key = await createBouncerKey();
      const poller = await openPoller({ port, path: STREAM, headers: { 'x-api-key': key, ...headers } });
      // A poll is refused until all bans have been read, never answered incompletely.
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
      await service.stop();
      await redis?.stop();
    },
  };
}

/** 100 000 bans through the API would take minutes, so the file is written before the service opens it. */
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
