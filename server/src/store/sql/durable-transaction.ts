import { type Kysely, sql, type Transaction } from 'kysely';
import type { SqlKind } from './migrate.ts';
import type { Database } from './schema.ts';

/**
 * A transaction that a power cut does not take back once it is committed. PostgreSQL promises that for each one. We let
 * SQLite wait for the disk only here: otherwise it keeps the file whole, but may forget the last transactions.
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
