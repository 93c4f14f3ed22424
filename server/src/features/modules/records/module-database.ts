import { setImmediate as otherWork } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import { Overloaded } from '../../../lib/errors.ts';
import type { Sql } from '../../../store/sql/open.ts';
import { createSqlReader } from '../../../store/sql/sql-reader.ts';
import { createModuleTurns } from './module-turns.ts';

interface ReadingParts {
  readonly sql: Sql;
  /** For PostgreSQL. */
  readonly url: string | undefined;
  /** For SQLite. */
  readonly file: string;
  /** The most that each module may keep. */
  readonly mostBytes: number;
}

export type Find = <T>(query: CompiledQuery<T>) => Promise<T[]>;

/** How many lists are read and searches run at the same time: `each` per module, `atOnce` for all together. */
const PAGES = {
  each: 2,
  atOnce: 3,
  waiting: 1_000,
  refusal: 'too many lists of this module are being read',
};
const SEARCHES = {
  each: 1,
  atOnce: 2,
  waiting: 200,
  refusal: 'too many searches of this module are under way',
};
const SEARCH_MS = 10_000;
/** SQLite writes on the thread of the service; on PostgreSQL two writers of one resource would wait for each other. */
const WRITES = {
  each: 1,
  atOnce: { sqlite: 1, postgres: 3 },
  waiting: 1_000,
  refusal: 'too many writes of this module are under way',
};

/**
 * Database access of modules that delays nobody else (ADR 55): pages are read in threads, or over a few connections; a
 * search through many records runs in a process that is killed if it takes too long, like searches of calls (ADR 19).
 */
export function createModuleDatabase({ sql, url, file, mostBytes }: ReadingParts) {
  const reader = createSqlReader({ sql, url, file, atOnce: SEARCHES.atOnce });
  const pages = createModuleTurns(PAGES);
  const searches = createModuleTurns(SEARCHES);
  const writes = createModuleTurns({ ...WRITES, atOnce: WRITES.atOnce[sql.kind] });

  return {
    page: <T>(module: string, work: (find: Find) => Promise<T>): Promise<T> =>
      pages.run(module, () => work((query) => reader.rows(query))),

    search: <T>(module: string, work: (find: Find) => Promise<T>): Promise<T> =>
      searches.run(module, async () => {
        const stop = new AbortController();
        const deadline = setTimeout(
          () => stop.abort(new Overloaded('the search took too long, use a longer text')),
          SEARCH_MS,
        );
        const search = await reader.openSearch(stop.signal);
        try {
          return await work((query) => search.rows(query));
        } catch (error) {
          throw stop.signal.aborted ? stop.signal.reason : error;
        } finally {
          clearTimeout(deadline);
          await search.close();
        }
      }),

    mostBytes,

    /** Rows written in one go: on SQLite as briefly as a page is read, on PostgreSQL with few round trips. */
    rowsAtOnce: sql.kind === 'sqlite' ? 100 : 1_000,

    /** The row identifier built into the database: the quickest way to delete some rows of many. */
    rowName: sql.kind === 'sqlite' ? 'rowid' : 'ctid',

    /** Lets other work run in between: a chain of writes on SQLite would block the event loop. */
    write: <T>(module: string, work: () => Promise<T>): Promise<T> =>
      writes.run(module, () => work().finally(() => otherWork())),

    close: () => reader.close(),
  };
}

export type ModuleDatabase = ReturnType<typeof createModuleDatabase>;
