import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { createPostgresPool, guardClient } from './postgres-dialect.ts';
import type { Database } from './schema.ts';
import { unavailable } from './sql-errors.ts';
import type { RowRenderer, SqlReader, SqlView } from './sql-reader.ts';

const ROWS_PER_BATCH = 1000;
/** Per batch of an export; searches are killed after a shorter time. */
const LONGEST_QUERY_MS = 60_000;

interface ReaderParts {
  readonly db: Kysely<Database>;
  readonly lookUp: SqlReader['lookUp'];
  readonly url: string;
  /** Number of connections for searches and views, in a pool of their own. */
  readonly atOnce: number;
}

export function createPostgresReader({ db, lookUp, url, atOnce }: ReaderParts): SqlReader {
  const pool = createPostgresPool({ url, connections: atOnce, queryTimeoutMs: LONGEST_QUERY_MS });
  const rows = async <T>(query: CompiledQuery, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    return (await db.executeQuery(query)).rows as T[];
  };

  /** Lends a connection that is closed on both sides, with its query, when the signal is aborted. */
  async function lend(signal: AbortSignal) {
    const lent = await pool.connect().catch((error) => {
      throw unavailable(error);
    });
    const client = guardClient(lent);
    let before: Promise<unknown> = Promise.resolve();
    let isBack = false;
    const giveBack = (destroy?: boolean) => {
      if (isBack) return;
      isBack = true;
      signal.removeEventListener('abort', kill);
      client.release(destroy);
    };
    const kill = () => {
      // The server notices that a client is gone only when it has rows to send.
      const ending = sql`select pg_terminate_backend(${client.processID})`.execute(db);
      ending.catch(() => {}).then(() => giveBack(true));
    };
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted) kill();
    /** Runs queries one after the other, as a connection answers only one at a time. */
    function inTurn<T>(ask: () => Promise<T>): Promise<T> {
      const run = () => {
        signal.throwIfAborted();
        return ask();
      };
      const mine = before.then(run, run);
      before = mine;
      return mine;
    }
    return {
      rows: <T>({ sql: text, parameters }: Question): Promise<T[]> =>
        inTurn(async () => (await client.query<T>(text, parameters)).rows),
      cells: (text: string) => inTurn(() => client.cells(text)),
      giveBack,
    };
  }

  return {
    rows,
    lookUp,
    async openSearch(signal) {
      const connection = await lend(signal);
      return {
        rows: connection.rows,
        async close() {
          // After an abort the connection is returned once the server has terminated it.
          if (!signal.aborted) connection.giveBack();
        },
      };
    },
    async openView({ signal }) {
      const connection = await lend(signal);
      const run = (text: string) => connection.rows({ sql: text, parameters: [] });
      try {
        await run('start transaction isolation level repeatable read read only');
      } catch (error) {
        connection.giveBack(true);
        throw error;
      }
      return createView(connection, async () => {
        if (signal.aborted) return;
        await run('rollback').then(
          () => connection.giveBack(),
          () => connection.giveBack(true),
        );
      });
    },
    close: () => pool.end(),
  };
}

const rendererOf = async ({ module, name }: RowRenderer): Promise<(cells: readonly unknown[]) => string> =>
  (await import(module))[name];

type Question = Pick<CompiledQuery, 'sql' | 'parameters'>;
interface Connection {
  rows<T>(question: Question): Promise<T[]>;
  cells(sql: string): Promise<unknown[][]>;
}

const createView = ({ rows: ask, cells }: Connection, close: () => Promise<void>): SqlView => ({
  rows: ask,
  async *lines({ sql: text, parameters }, renderer) {
    const line = await rendererOf(renderer);
    await ask({ sql: `declare batches no scroll cursor for ${text}`, parameters });
    const fetch = () => cells(`fetch ${ROWS_PER_BATCH} from batches`);
    let coming = fetch();
    for (let isLast = false; !isLast; ) {
      const rows = await coming;
      isLast = rows.length < ROWS_PER_BATCH;
      // The next rows are read while these are consumed.
      if (!isLast) coming = fetch();
      coming.catch(() => {}); // an error surfaces when it is awaited, if ever
      if (rows.length > 0) yield rows.map((row) => line(row)).join('');
    }
    await ask({ sql: 'close batches', parameters: [] });
  },
  close,
});
