import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openSql } from '../store/sql/open.ts';
import { createSettings } from '../store/sql/settings.ts';
import { createEmbeddedTtlStore } from '../store/ttl/embedded-ttl-store.ts';
import { createRedisTtlStore } from '../store/ttl/redis-ttl-store.ts';
import type { Ground } from './ground.ts';

/** Where everything is remembered: SQL for what lasts, expiring keys for what does not. */
export async function openStores({ config, clock, opened, complain }: Ground) {
  const { dataDir, databaseUrl, redisUrl } = config;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const sqliteFile = join(dataDir, 'pbxcore.sqlite');
  const sql = await openSql({ url: databaseUrl, file: sqliteFile });
  opened.defer(() => sql.close());
  const ttl = redisUrl
    ? await createRedisTtlStore({ url: redisUrl, clock, onError: complain('Redis is not usable') })
    : await createEmbeddedTtlStore({
        file: join(dataDir, 'ttl.sqlite'),
        clock,
        onError: complain('bans and cursors cannot be saved'),
      });
  opened.defer(() => ttl.close());
  return { sql, db: sql.db, sqliteFile, ttl, settings: createSettings({ db: sql.db }) };
}

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** Names of the stores that do not answer now. */
export async function failingStores({ sql, ttl }: Stores): Promise<string[]> {
  const stores = { database: sql, 'expiring keys': ttl };
  const outcomes = await Promise.allSettled(Object.values(stores).map((store) => store.ping()));
  return Object.keys(stores).filter((_, i) => outcomes[i]?.status === 'rejected');
}
