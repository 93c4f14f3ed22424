import { type Kysely, sql, type Transaction } from 'kysely';
import type { SqlKind } from './migrate.ts';
import type { Database } from './schema.ts';

/**
 * A transaction that survives a power cut once it is committed. PostgreSQL guarantees that for every transaction.
 * SQLite waits for the disk only here; otherwise a power cut leaves the file intact but may lose the last transactions.
 */
export function durableTransaction<T>(
  { db, kind }: { db: Kysely<Database>; kind: SqlKind },
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  if (kind === 'postgres') return db.transaction().execute(work);
  return db.connection().execute(async (connection) => {
    await sql`pragma synchronous = full`.execute(connection);
    try {
      return await connection.transaction().execute(work);
    } finally {
      await sql`pragma synchronous = normal`.execute(connection);
    }
  });
}
