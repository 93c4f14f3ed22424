import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SqlKind } from '../../server/src/store/sql/migrate.ts';
import { openSql } from '../../server/src/store/sql/open.ts';
import { connectPostgres, startPostgres } from '../../server/test/real/postgres.ts';
import { temporaryFolder } from '../service/service.ts';
import { type HistoryOptions, SAMPLE, TOUCH_SAMPLE, writeHistory } from './history.ts';

export type Rows = { [column: string]: unknown }[];

/** A database full of calls, with direct access to its driver. */
export interface HistoryDatabase {
  readonly kind: SqlKind;
  readonly dataDir: string;
  /** Settings for a service on this database. */
  readonly settings: Readonly<Record<string, string>>;
  /** Queries through the driver, without any of our code. */
  raw(sql: string, ...parameters: (string | number)[]): Promise<Rows>;
  /** Reads rows one after the other and discards them; resolves to their number. */
  drain(sql: string): Promise<number>;
  close(): Promise<void>;
}

export async function openHistory(kind: SqlKind, options: HistoryOptions): Promise<HistoryDatabase> {
  const dataDir = temporaryFolder();
  const database = kind === 'sqlite' ? await openSqlite(dataDir) : await openPostgres(dataDir);
  await writeHistory(kind, options, (sql) => database.raw(sql));
  const before = JSON.stringify(await database.raw(SAMPLE));
  await database.raw(TOUCH_SAMPLE);
  if (JSON.stringify(await database.raw(SAMPLE)) !== before)
    throw new Error('the history is not what the triggers would have made of its legs');
  return database;
}

async function openSqlite(dataDir: string): Promise<HistoryDatabase> {
  const file = join(dataDir, 'pbxcore.sqlite');
  await (await openSql({ file })).close();
  const db = new DatabaseSync(file);
  db.exec('pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -300000');
  const known = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const prepared = (sql: string) => {
    const statement = known.get(sql) ?? db.prepare(sql);
    known.set(sql, statement);
    return statement;
  };
  return {
    kind: 'sqlite',
    dataDir,
    settings: {},
    raw: async (sql, ...parameters) => prepared(sql).all(...parameters) as Rows,
    async drain(sql) {
      let count = 0;
      for (const _ of prepared(sql).iterate()) count++;
      return count;
    },
    async close() {
      db.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const CURSOR_ROWS = 1000;

async function openPostgres(dataDir: string): Promise<HistoryDatabase> {
  const server = await startPostgres();
  const url = await server.createDatabase('bench');
  await (await openSql({ url })).close();
  const client = await connectPostgres(url);
  await client.query("set work_mem = '256MB'; set maintenance_work_mem = '512MB'; set jit = off");
  return {
    kind: 'postgres',
    dataDir,
    settings: { PBXCORE_DATABASE_URL: url },
    async raw(sql, ...parameters) {
      let place = 0;
      return (
        await client.query(
          sql.replaceAll('?', () => `$${++place}`),
          parameters,
        )
      ).rows;
    },
    async drain(sql) {
      let count = 0;
      await client.query('begin');
      await client.query(`declare bench no scroll cursor for ${sql}`);
      for (;;) {
        const { rows } = await client.query(`fetch ${CURSOR_ROWS} from bench`);
        count += rows.length;
        if (rows.length < CURSOR_ROWS) break;
      }
      await client.query('rollback');
      return count;
    },
    async close() {
      await client.end();
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
