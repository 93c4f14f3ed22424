// The SQLite file of one module, for that module alone: answers its questions in order until it is gone.
import { constants, DatabaseSync, type StatementSync } from 'node:sqlite';
import { MAX_SQL_BYTES, readJson, type SqlAnswer, type SqlQuestion, writeJson } from './sql-line.ts';
import { tableOf, unpacked } from './sql-values.ts';

const MAX_PREPARED = 100;
/** SQLite's own memory limit. A module can lower but not raise it. */
const MAX_SQLITE_BYTES = 64 * 1024 * 1024;
/** They name directories on disk. */
const PLACES = ['temp_store_directory', 'data_store_directory'];
/** They could let the file, or its write-ahead log, exceed its limit. Reading them is allowed. */
const BOUNDS = ['max_page_count', 'page_size', 'wal_autocheckpoint'];
const IN_MEMORY = ['2', 'memory'];
const SQLITE_FULL = 13;

export interface SqlSetup {
  readonly file: string;
  /** Maximum size of the file; a larger one can be read but does not grow. */
  readonly maxBytes: number;
}

/** Opens exactly this file and serves it to the other end of the line. */
export function run({ file, maxBytes }: SqlSetup): void {
  let opened: DatabaseSync | undefined;
  const prepared = new Map<string, StatementSync>();

  function database(): DatabaseSync {
    if (!opened) {
      opened = new DatabaseSync(file, { enableForeignKeyConstraints: true });
      opened.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000');
      // Temporary data would otherwise be one more file, of any size.
      opened.exec(`pragma hard_heap_limit = ${MAX_SQLITE_BYTES}; pragma temp_store = memory`);
      const { page_size: pageBytes } = opened.prepare('pragma page_size').get() as { page_size: number };
      opened.exec(`pragma max_page_count = ${Math.floor(maxBytes / pageBytes)}`);
      opened.setAuthorizer(refuseMoreDisk);
    }
    return opened;
  }

  function close(): void {
    prepared.clear();
    opened?.close();
    opened = undefined;
  }

  function statement(sql: string): StatementSync {
    let found = prepared.get(sql);
    if (!found) {
      found = database().prepare(sql);
      if (prepared.size >= MAX_PREPARED) prepared.delete(prepared.keys().next().value as string);
      prepared.set(sql, found);
    }
    return found;
  }

  function answer({ op, sql, values }: SqlQuestion): SqlAnswer {
    const parameters = values.map(unpacked) as never[];
    switch (op) {
      case 'all':
        return { table: tableOf(limited(statement(sql), parameters)) };
      case 'get': {
        const row = statement(sql).get(...parameters);
        return row ? { table: tableOf([row]) } : {};
      }
      case 'run': {
        const { changes, lastInsertRowid } = statement(sql).run(...parameters);
        return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
      }
      case 'exec':
        database().exec(sql);
        return {};
      case 'close':
        close();
        return {};
      default:
        throw new Error('unknown request');
    }
  }

  for (let question = readJson<SqlQuestion>(); question; question = readJson<SqlQuestion>()) {
    try {
      writeJson(answer(question));
    } catch (error) {
      const { message: said, code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
      const message =
        errcode === SQLITE_FULL
          ? `${said}: the database file of the module may have at most ${maxBytes} bytes`
          : said;
      writeJson({ error: { message, code, errcode } });
    }
  }
  close();
}

/** Fetches no more rows than can be sent. */
function limited(statement: StatementSync, parameters: never[]): Record<string, unknown>[] {
  const rows: Record<string, unknown>[] = [];
  let bytes = 0;
  for (const row of statement.iterate(...parameters) as Iterable<Record<string, unknown>>) {
    rows.push(row);
    for (const value of Object.values(row)) bytes += sizeOf(value);
    if (bytes > MAX_SQL_BYTES) throw new Error(`the result is larger than ${MAX_SQL_BYTES} bytes`);
  }
  return rows;
}

const sizeOf = (value: unknown): number =>
  typeof value === 'string' ? value.length + 8 : value instanceof Uint8Array ? value.length + 8 : 8;

/**
 * ATTACH, and VACUUM INTO which attaches too, would open any other file on the machine: SQLite does not ask Node. A
 * plain VACUUM attaches a nameless temporary file.
 */
function refuseMoreDisk(action: number, first: string | null, second: string | null): number {
  const isAttach = action === constants.SQLITE_ATTACH && first !== '';
  const isRefused = isAttach || (action === constants.SQLITE_PRAGMA && isPlaceOrBound(first, second));
  return isRefused ? constants.SQLITE_DENY : constants.SQLITE_OK;
}

function isPlaceOrBound(pragma: string | null, value: string | null): boolean {
  const name = String(pragma).toLowerCase();
  if (PLACES.includes(name)) return true;
  if (value === null) return false;
  return BOUNDS.includes(name) || (name === 'temp_store' && !IN_MEMORY.includes(value.toLowerCase()));
}
