import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { StoreUnavailable } from '../../lib/errors.ts';
import { postgresFailure, unavailable } from './sql-errors.ts';

const int8 = 20;

interface PostgresOptions {
  url: string;
  connections: number;
  /** Absent for migrations, which may take long and must wait for other nodes. */
  queryTimeoutMs?: number;
}

/** kysely's own dialect on a pool that throws our errors. */
export const createPostgresDialect = (options: PostgresOptions): Dialect =>
  new PostgresDialect({ pool: guardPool(createPostgresPool(options)) });

/** A pool that survives outages of its server. */
export function createPostgresPool({ url, connections, queryTimeoutMs }: PostgresOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 2000,
    keepAlive: true,
    // Milliseconds and counts fit a JavaScript number; pg would return strings.
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
    ...(queryTimeoutMs && { statement_timeout: queryTimeoutMs, query_timeout: queryTimeoutMs }),
  });
  // An unhandled 'error' ends the process. The pool itself drops the broken connection and rejects its query.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    // Compiling a plan takes longer (50 ms) than any of our queries should.
    client.query('set jit = off').catch(() => {});
  });
  return pool;
}

function guardPool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      try {
        return guardClient(await pool.connect());
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}

interface GuardedClient extends PostgresPoolClient {
  /** Rows as arrays of cells, without creating objects. */
  cells(sql: string): Promise<unknown[][]>;
}

/** Wraps a client so that it throws our errors. */
export function guardClient(client: pg.PoolClient & { processID?: number }): GuardedClient {
  let outage: StoreUnavailable | undefined;
  async function guarded<T>(ask: () => Promise<T>): Promise<T> {
    // After a timeout the old query still occupies the connection: nothing more may queue behind it.
    if (outage) throw outage;
    try {
      return await ask();
    } catch (error) {
      const failure = postgresFailure(error);
      if (failure instanceof StoreUnavailable) outage = failure;
      throw failure;
    }
  }
  const query = (sql: string, parameters: readonly unknown[]) =>
    guarded(() => client.query(sql, [...parameters]));
  return {
    ...(client.processID !== undefined && { processID: client.processID }),
    query: query as unknown as PostgresPoolClient['query'], // the cursor form is not used
    cells: async (text) => (await guarded(() => client.query<unknown[]>({ text, rowMode: 'array' }))).rows,
    release: (destroy) => client.release(destroy || outage !== undefined),
  };
}
