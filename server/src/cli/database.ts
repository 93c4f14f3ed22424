import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { createApiKeys } from '../features/access/api-keys/api-keys.service.ts';
import { createApiKeyStore } from '../features/access/api-keys/api-keys.store.ts';
import { createKeyHash } from '../features/access/api-keys/key-auth.ts';
import { createKeyUse } from '../features/access/api-keys/key-use.ts';
import { createPollIntervals } from '../features/access/api-keys/poll-intervals.ts';
import { createNetworkFilterStore } from '../features/firewall/network-filters/network-filters.store.ts';
import { systemClock, systemSteadyClock } from '../lib/clock.ts';
import { createFilterRevision } from '../store/sql/filter-revision.ts';
import { openSql } from '../store/sql/open.ts';
import { createSettings } from '../store/sql/settings.ts';
import { CommandFailed } from './command.ts';
import { isDeclaredPath } from './declared-paths.ts';
import { databaseFailure } from './start-failure.ts';

/** The first start creates secrets and tables. */
export class NeverStarted extends CommandFailed {
  constructor({ databaseUrl, dataDir }: Config) {
    const place = databaseUrl ? 'PBXCORE_DATABASE_URL' : `the data directory ${dataDir}`;
    super('start the service once first', `there is no data yet; if there should be, check ${place}`);
  }
}

interface DatabaseUse {
  readonly config: Config;
  /** Called after a key was revoked. */
  readonly onKeyDeleted?: (id: string) => Promise<void>;
}

/** The service's database, opened beside it, with the services that own what commands change. */
export async function openDatabase({ config, onKeyDeleted = async () => {} }: DatabaseUse) {
  const file = join(config.dataDir, 'pbxcore.sqlite');
  // Opening would create an empty one.
  if (!config.databaseUrl && !existsSync(file)) throw new NeverStarted(config);
  const opened = new AsyncDisposableStack();
  try {
    const sql = await openSql({ url: config.databaseUrl, file }).catch((error: unknown) => {
      throw databaseFailure(error, config);
    });
    opened.defer(() => sql.close());
    const secret = await createSettings({ db: sql.db }).get('api_key_secret');
    if (secret === undefined) throw new NeverStarted(config);
    const clock = systemClock;
    const onError = () => {};
    const revision = createFilterRevision(sql);
    const filters = await createNetworkFilterStore({ db: sql.db, clock, revision, onError });
    opened.defer(() => filters.close());
    const store = createApiKeyStore(sql);
    const intervals = createPollIntervals({ steady: systemSteadyClock });
    const use = createKeyUse({ store, clock, intervals, onError });
    opened.defer(() => use.close());
    const keys = createApiKeys({
      store,
      use,
      keyHash: createKeyHash(Buffer.from(secret, 'hex')),
      clock,
      filterExists: async (id) => (await filters.find(id)) !== undefined,
      isDeclared: isDeclaredPath,
      onDeleted: onKeyDeleted,
    });
    return {
      sql,
      filters,
      keys,
      close: () => opened.disposeAsync(),
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

export type OpenDatabase = Awaited<ReturnType<typeof openDatabase>>;
