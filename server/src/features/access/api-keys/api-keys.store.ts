import type { CompiledQuery, Kysely, Selectable } from 'kysely';
import { createBatchedLookup } from '../../../lib/batched-lookup.ts';
import { durableTransaction } from '../../../store/sql/durable-transaction.ts';
import type { Sql } from '../../../store/sql/open.ts';
import type { ApiKeyTable, Database } from '../../../store/sql/schema.ts';

const HASHES_AT_ONCE = 100;

export type ApiKeyRow = Selectable<ApiKeyTable>;
type ApiKeyFields = Pick<
  ApiKeyRow,
  | 'description'
  | 'full_permissions'
  | 'allowed_paths'
  | 'networkfilterid'
  | 'bouncer_client'
  | 'bouncer_options'
>;
export interface KeyMaterial {
  readonly key_hash: string;
  readonly key_display: string;
}

/** A key with the filter it is bound to, read in one query: all that admission of a request needs. */
export interface BoundKey {
  readonly key_hash: string;
  readonly id: number;
  readonly full_permissions: string;
  readonly allowed_paths: string;
  readonly networkfilterid: string;
  readonly bouncer_options: string;
  /** `null` when no such filter exists. */
  readonly filterId: number | null;
  readonly permit: string | null;
  readonly deny: string | null;
}

export function createApiKeyStore({ db, kind, lookUp }: Pick<Sql, 'db' | 'kind' | 'lookUp'>) {
  const bound = db
    .selectFrom('api_keys as k')
    .leftJoin('m_NetworkFilters as f', (join) =>
      join.on((eb) => eb(eb.cast<string>('f.id', 'text'), '=', eb.ref('k.networkfilterid'))),
    )
    .select(['k.key_hash', 'k.id', 'k.full_permissions', 'k.allowed_paths', 'k.networkfilterid'])
    .select('k.bouncer_options')
    .select(['f.id as filterId', 'f.permit', 'f.deny']);
  // Every request runs this query: building it each time would cost more than running it.
  const byHash: CompiledQuery<BoundKey> = bound.where('k.key_hash', '=', '').compile();

  async function byHashes(hashes: readonly string[]): Promise<ReadonlyMap<string, BoundKey>> {
    const query =
      hashes.length === 1
        ? { ...byHash, parameters: hashes }
        : bound.where('k.key_hash', 'in', hashes).compile();
    const rows = await lookUp(query);
    return new Map(rows.map((row) => [row.key_hash, row]));
  }

  /**
   * Locks these keys until the end of the transaction, in the order of ids, so that two keys that change each other
   * cannot deadlock. SQLite needs no lock, as it has only one writer at a time.
   */
  async function lock(
    trx: Kysely<Database>,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, ApiKeyRow>> {
    if (ids.length === 0) return new Map();
    const query = trx.selectFrom('api_keys').selectAll().where('id', 'in', ids).orderBy('id');
    const rows = await (kind === 'postgres' ? query.forUpdate() : query).execute();
    return new Map(rows.map((row) => [row.id, row]));
  }

  return {
    list: (): Promise<ApiKeyRow[]> =>
      db.selectFrom('api_keys').selectAll().orderBy('description').orderBy('id').execute(),

    find: (id: number): Promise<ApiKeyRow | undefined> =>
      db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst(),

    findByHash: createBatchedLookup(byHashes, HASHES_AT_ONCE),

    /** Reads in as few queries as the database allows. */
    async findAll(hashes: readonly string[]): Promise<ReadonlyMap<string, BoundKey>> {
      const found = new Map<string, BoundKey>();
      for (let from = 0; from < hashes.length; from += HASHES_AT_ONCE * 5)
        for (const [hash, row] of await byHashes(hashes.slice(from, from + HASHES_AT_ONCE * 5)))
          found.set(hash, row);
      return found;
    },

    lock,

    /** Writes all or nothing, with the keys locked. A power cut brings no revoked key back (contract 17.18). */
    write: <T>(
      ids: readonly number[],
      work: (keys: ReadonlyMap<number, ApiKeyRow>, writer: ApiKeyWriter) => Promise<T>,
    ): Promise<T> =>
      durableTransaction({ db, kind }, async (trx) => work(await lock(trx, ids), apiKeyWriter(trx))),

    /** Descriptions of the keys bound to a filter. */
    async boundTo(networkFilterId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('api_keys')
        .select('description')
        .where('networkfilterid', '=', networkFilterId)
        .orderBy('id')
        .execute();
      return rows.map((row) => row.description);
    },

    async noteUse(id: number, use: KeyUse): Promise<void> {
      await db.updateTable('api_keys').set(use).where('id', '=', id).execute();
    },
  };
}

function apiKeyWriter(trx: Kysely<Database>) {
  return {
    insert: (fields: ApiKeyFields & KeyMaterial, createdAt: number): Promise<ApiKeyRow> =>
      trx
        .insertInto('api_keys')
        .values({ ...fields, created_at: createdAt })
        .returningAll()
        .executeTakeFirstOrThrow(),

    update: (id: number, fields: ApiKeyFields & Partial<KeyMaterial>): Promise<ApiKeyRow> =>
      trx.updateTable('api_keys').set(fields).where('id', '=', id).returningAll().executeTakeFirstOrThrow(),

    async delete(id: number): Promise<void> {
      await trx.deleteFrom('api_keys').where('id', '=', id).execute();
    },
  };
}

export type ApiKeyWriter = ReturnType<typeof apiKeyWriter>;

/** What is recorded about the use of a key. */
export type KeyUse = Partial<
  Pick<
    ApiKeyRow,
    | 'last_used_at'
    | 'last_poll_at'
    | 'last_poll_ip'
    | 'user_agent'
    | 'poll_interval_ms'
    | 'last_metrics_at'
    | 'last_metrics'
    | 'last_usage'
  >
>;

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;
