import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppContext } from './app-context.ts';
import { StoreRefusesWrites } from './lib/errors.ts';
import { createEmbeddedEventLog } from './store/events/embedded-event-log.ts';
import { createRedisEventLog } from './store/events/redis-event-log.ts';
import { openSql } from './store/sql/open.ts';
import { createSettings } from './store/sql/settings.ts';
import { createEmbeddedTtlStore } from './store/ttl/embedded-ttl-store.ts';
import { createRedisTtlStore } from './store/ttl/redis-ttl-store.ts';

/** Opens the stores: SQL for lasting data, expiring keys for the rest. */
export async function openStores({ config, clock, steady, opened, errorLogger }: AppContext) {
  const { dataDir, databaseUrl, redisUrl, redisPrefix } = config;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const sqliteFile = join(dataDir, 'pbxcore.sqlite');
  const ttlFile = join(dataDir, 'ttl.sqlite');
  const sql = await openSql({ url: databaseUrl, file: sqliteFile });
  opened.defer(() => sql.close());
  const ttl = redisUrl
    ? await createRedisTtlStore({ url: redisUrl, clock, steady, onError: errorLogger('Redis is not usable') })
    : await createEmbeddedTtlStore({
        file: ttlFile,
        clock,
        steady,
        onError: errorLogger('bans and cursors cannot be saved'),
      });
  opened.defer(() => ttl.close());
  const events = redisUrl
    ? await createRedisEventLog({
        url: redisUrl,
        redisPrefix,
        steady,
        onError: errorLogger('Redis refuses commands that events need'),
      })
    : createEmbeddedEventLog({ clock, steady });
  opened.defer(() => events.close());
  return { sql, db: sql.db, sqliteFile, ttl, ttlFile, events, settings: createSettings({ db: sql.db }) };
}

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** The problem of each store that does not answer now, or refuses writes (contract 17.21). */
export async function storeProblems({ sql, ttl }: Stores): Promise<string[]> {
  const problems = await Promise.all([
    problemOf('database', sql),
    problemOf(ttl.kind === 'redis' ? 'expiring keys (Redis)' : 'expiring keys', ttl),
  ]);
  return problems.filter((problem) => problem !== undefined);
}

async function problemOf(name: string, store: Stores['sql' | 'ttl']): Promise<string | undefined> {
  try {
    await store.ping();
    return undefined;
  } catch (error) {
    // The embedded store reads from memory: only writing to its file can fail.
    const answers = error instanceof StoreRefusesWrites || store.kind === 'embedded';
    return `${answers ? 'refuses writes' : 'not answering'}: ${name}`;
  }
}
