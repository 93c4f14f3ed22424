import { type CompiledQuery, type Dialect, Kysely } from 'kysely';
import { migrate, type SqlKind } from './migrate.ts';
import { createPostgresDialect } from './postgres-dialect.ts';
import type { Database } from './schema.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { createLookUp, type LookUp } from './sqlite-look-up.ts';

/**
 * Every query rejects with `DuplicateKey` for a taken unique value and with `StoreUnavailable` when the database cannot
 * be read or written; queries work again once the database is back.
 */
export interface Sql {
  readonly kind: SqlKind;
  readonly db: Kysely<Database>;
  /** A few committed rows by an index, for queries that every request runs. */
  lookUp<T>(query: CompiledQuery<T>): Promise<T[]>;
  /** Resolves when the database answers; a PostgreSQL server that refuses writes rejects with `StoreRefusesWrites`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface SqlPlace {
  /** A PostgreSQL server; without it the SQLite `file` is used. */
  url?: string | undefined;
  file?: string | undefined;
  /** The last migration to run, for a database in the state of an earlier version. */
  upTo?: string | undefined;
}

/** Opens and migrates the database; after a failure nothing stays open. */
export async function openSql({ url, file, upTo }: SqlPlace): Promise<Sql> {
  if (url) {
    await using upgrade = createSql('postgres', createPostgresDialect({ url, connections: 1 }));
    await migrate({ ...upgrade, upTo });
    return createSql('postgres', createPostgresDialect({ url, connections: 10, queryTimeoutMs: 5000 }));
  }
  if (!file) throw new TypeError('openSql needs a url or a file');
  const reading = createLookUp(file);
  const sql = createSql('sqlite', createSqliteDialect({ file }), reading);
  try {
    await migrate({ ...sql, upTo });
    return sql;
  } catch (error) {
    await sql.close();
    throw error;
  }
}

function createSql(kind: SqlKind, dialect: Dialect, reading?: LookUp): Sql & AsyncDisposable {
  const db = new Kysely<Database>({ dialect });
  const close = async () => {
    reading?.close();
    await db.destroy();
  };
  return {
    kind,
    db,
    lookUp: reading?.rows ?? (async (query) => (await db.executeQuery(query)).rows),
    async ping() {
      // A standby after a failover refuses even an update of no row. On SQLite such an update would wait for a writer.
      if (kind === 'postgres')
        await db.updateTable('settings').set({ value: '' }).where('key', '=', '').execute();
      else await db.selectFrom('settings').select('key').limit(1).execute();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
