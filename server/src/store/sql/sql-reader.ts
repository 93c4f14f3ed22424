import { type CompiledQuery, type ControlledTransaction, type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';
import { createSqliteReader } from './sqlite-reader.ts';

/** Queries beside the writers. They see what was committed before they began. */
export interface SqlReader {
  /** What may take long; it never holds up the event loop. */
  rows<T>(query: CompiledQuery): Promise<T[]>;
  /** A handful of rows by an index: to ask another thread would take longer than to read them. */
  lookUp<T>(query: CompiledQuery): Promise<T[]>;
  /** A view of one moment; it stays the same until it is closed. */
  openView(): Promise<SqlView>;
  close(): Promise<void>;
}

export interface SqlView {
  rows<T>(query: CompiledQuery): Promise<T[]>;
  /** The rows of a query, some at a time; one such query at a time. */
  batches<T>(query: CompiledQuery): AsyncIterable<T[]>;
  /** The same as lines of text. They are made where the rows are read: to hand over rows costs more than to read them. */
  lines(query: CompiledQuery, renderer: RowRenderer): AsyncIterable<Uint8Array | string>;
  close(): Promise<void>;
}

/** A function that makes a line of the cells of a row, by the place it is exported from: no thread takes a function. */
export interface RowRenderer {
  readonly module: string;
  readonly name: string;
}

const ROWS_PER_BATCH = 1000;

export function createSqlReader({ db, file }: { db: Kysely<Database>; file: string | undefined }): SqlReader {
  return file === undefined ? createPostgresReader(db) : createSqliteReader(file);
}

function createPostgresReader(db: Kysely<Database>): SqlReader {
  const rows = async <T>(query: CompiledQuery) => (await db.executeQuery(query)).rows as T[];
  return {
    rows,
    lookUp: rows,
    openView: async () =>
      createPostgresView(
        await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(),
      ),
    close: async () => {},
  };
}

function createPostgresView(transaction: ControlledTransaction<Database>): SqlView {
  async function* batches<T>(query: CompiledQuery) {
    await transaction.executeQuery({ ...query, sql: `declare batches no scroll cursor for ${query.sql}` });
    const next = sql<T>`fetch ${sql.lit(ROWS_PER_BATCH)} from batches`.compile(transaction);
    const fetch = async (): Promise<T[]> => (await transaction.executeQuery(next)).rows;
    let coming = fetch();
    for (let isLast = false; !isLast; ) {
      const rows = await coming;
      isLast = rows.length < ROWS_PER_BATCH;
      // The next rows are read while these are used.
      if (!isLast) coming = fetch();
      coming.catch(() => {}); // seen when it is awaited, if ever
      if (rows.length > 0) yield rows;
    }
    await transaction.executeQuery(sql`close batches`.compile(transaction));
  }

  return {
    rows: async <T>(query: CompiledQuery) => (await transaction.executeQuery(query)).rows as T[],
    batches,
    async *lines(query: CompiledQuery, { module, name }: RowRenderer) {
      const line = (await import(module))[name] as (cells: readonly unknown[]) => string;
      for await (const rows of batches<object>(query))
        yield rows.map((row) => line(Object.values(row))).join('');
    },
    async close() {
      await transaction.rollback().execute();
    },
  };
}
