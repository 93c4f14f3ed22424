import { createReadStream } from 'node:fs';
import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { openSql } from './open.ts';
import { createPostgresPool } from './postgres-dialect.ts';
import { postgresFailure } from './sql-errors.ts';

const ROWS_AT_ONCE = 200;
const CHARACTERS_AT_ONCE = 1024 * 1024;
const SEQUENCES = 'sequences.json';
const TABLE_FILE = /^(\w+)\.jsonl$/;

interface PostgresDump {
  readonly url: string;
  /** One file per table, a row per line, and the state of the sequences. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Writes all tables as of one moment, as they are read in one transaction. */
export async function dumpPostgres({ url, folder, signal }: PostgresDump): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('begin isolation level repeatable read, read only');
    for (const table of await tablesOf(client)) {
      await using file = await open(join(folder, `${table}.jsonl`), 'wx', 0o600);
      await client.query(
        `declare backup no scroll cursor for select row_to_json(t)::text as line from ${pg.escapeIdentifier(table)} t`,
      );
      for (;;) {
        signal.throwIfAborted();
        const { rows } = await client.query<{ line: string }>(`fetch ${ROWS_AT_ONCE} from backup`);
        if (rows.length === 0) break;
        await file.writeFile(rows.map(({ line }) => `${line}\n`).join(''));
      }
      await client.query('close backup');
    }
    const { rows } = await client.query(
      'select sequencename as name, last_value as last from pg_sequences where schemaname = current_schema()',
    );
    await writeFile(join(folder, SEQUENCES), JSON.stringify(rows), { mode: 0o600 });
  });
}

/** The database already has tables; a backup is only restored into an empty one. */
export class DatabaseInUse extends Error {}

/** Creates the tables in the version of the backup; the next start migrates them. */
export async function restorePostgres(from: {
  url: string;
  folder: string;
  migration: string;
}): Promise<void> {
  const { url, folder, migration } = from;
  await withClient(url, async (client) => {
    if ((await tablesOf(client)).length > 0) throw new DatabaseInUse('the database is not empty');
  });
  await (await openSql({ url, upTo: migration })).close();
  await withClient(url, async (client) => {
    await client.query('begin');
    for (const name of (await readdir(folder)).sort()) {
      const [, table] = TABLE_FILE.exec(name) ?? [];
      if (table !== undefined) await fillTable(client, table, join(folder, name));
    }
    const sequences = JSON.parse(await readFile(join(folder, SEQUENCES), 'utf8'));
    for (const { name, last } of sequences as { name: string; last: number | null }[])
      if (last !== null) await client.query('select setval($1, $2)', [pg.escapeIdentifier(name), last]);
    await client.query('commit');
  });
}

async function fillTable(client: pg.PoolClient, name: string, file: string): Promise<void> {
  const table = pg.escapeIdentifier(name);
  // The backup already contains the rows that triggers derived from these.
  await client.query(`alter table ${table} disable trigger user`);
  await client.query(`truncate ${table}`);
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [name],
  );
  const columns = rows.map((column) => pg.escapeIdentifier(column.name)).join(', ');
  const insert = `insert into ${table} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${table}, $1::json)`;
  let lines: string[] = [];
  let characters = 0;
  const write = async () => {
    if (lines.length > 0) await client.query(insert, [`[${lines.join(',')}]`]);
    lines = [];
    characters = 0;
  };
  for await (const line of linesOf(file)) {
    lines.push(line);
    characters += line.length;
    if (characters > CHARACTERS_AT_ONCE) await write();
  }
  await write();
  await client.query(`alter table ${table} enable trigger user`);
}

/** Splits at line feeds only: texts may contain other line separators. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** All tables except those of the migrator. */
async function tablesOf(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name not like 'kysely%' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Runs on its own connection, without a time limit. */
async function withClient(url: string, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const pool = createPostgresPool({ url, connections: 1 });
  try {
    const client = await pool.connect();
    try {
      await work(client);
    } finally {
      // Ends whatever transaction is open.
      client.release(true);
    }
  } catch (error) {
    const { name, syscall } = error as NodeJS.ErrnoException;
    const isOfFiles = syscall === 'write' || syscall === 'open' || syscall === 'read';
    const isOurs = error instanceof DatabaseInUse || name === 'AbortError' || isOfFiles;
    throw isOurs ? error : postgresFailure(error);
  } finally {
    await pool.end();
  }
}
