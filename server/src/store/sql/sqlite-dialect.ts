import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { createPrivateFile } from '../../lib/private-file.ts';
import { isSqliteBusy, sqliteFailure, unavailable } from './sql-errors.ts';
import { createStatements } from './sqlite-statements.ts';

const busyTimeoutMs = 5000;

/** kysely on node:sqlite: one connection, which kysely lends to one query or transaction at a time. */
export function createSqliteDialect({ file }: { file: string }): Dialect {
  return {
    createDriver: () => createDriver(file),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => adapter,
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

const adapter: DialectAdapter = {
  supportsCreateIfNotExists: true,
  supportsMultipleConnections: false,
  // Migrations then run inside our `begin immediate`, which already locks out other processes.
  supportsTransactionalDdl: true,
  supportsReturning: true,
  supportsOutput: false,
  acquireMigrationLock: async () => {},
  releaseMigrationLock: async () => {},
};

function createDriver(file: string): Driver {
  let db: DatabaseSync;
  let connection: DatabaseConnection;
  let inTransaction = false;

  const run = async (sql: string) => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };
  return {
    async init() {
      db = await openDatabase(file);
      connection = createConnection(db, () => inTransaction);
    },
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    async beginTransaction(_, { accessMode }) {
      // A deferred transaction that starts to write fails at once when another process wrote meanwhile.
      await run(accessMode === 'read only' ? 'begin' : 'begin immediate');
      inTransaction = true;
    },
    async commitTransaction() {
      await run('commit');
      inTransaction = false;
    },
    async rollbackTransaction() {
      inTransaction = false;
      if (db.isTransaction) await run('rollback');
    },
    destroy: async () => db.close(),
  };
}

function createConnection(db: DatabaseSync, inTransaction: () => boolean): DatabaseConnection {
  const prepare = createStatements(db);
  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      // On a full disk SQLite rolls back by itself; later statements would then be stored on their own.
      if (inTransaction() && !db.isTransaction)
        throw unavailable(new Error('the transaction was rolled back'));
      try {
        const { statement, columns } = prepare(sql);
        const values = parameters as SQLInputValue[];
        if (columns.length > 0) return { rows: statement.all(...values) as R[] };
        // No insertId: PostgreSQL has none, `returning` serves both.
        return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
      } catch (error) {
        throw sqliteFailure(error);
      }
    },
    streamQuery() {
      throw new Error('streaming is not supported');
    },
  };
}

async function openDatabase(file: string): Promise<DatabaseSync> {
  let db: DatabaseSync | undefined;
  try {
    createPrivateFile(file); // SQLite gives its -wal and -shm files the same mode
    db = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
    await useWriteAheadLog(db);
    // With the default cache of 2 MB every insert into a long history reads its pages again; with the default log of
    // 4 MB the same pages are copied from it to the file, and waited for, several times a second.
    db.exec('pragma synchronous = normal; pragma cache_size = -65536; pragma wal_autocheckpoint = 8192');
    return db;
  } catch (error) {
    db?.close();
    throw (error as { code?: unknown }).code === 'ERR_SQLITE_ERROR'
      ? sqliteFailure(error)
      : unavailable(error);
  }
}

/** Two processes that do this to a new file at once can get SQLITE_BUSY without waiting for the busy timeout. */
async function useWriteAheadLog(db: DatabaseSync): Promise<void> {
  const pauseMs = 20;
  for (let triesLeft = busyTimeoutMs / pauseMs; ; triesLeft--) {
    try {
      db.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isSqliteBusy(error) || triesLeft <= 0) throw error;
      await delay(pauseMs);
    }
  }
}
