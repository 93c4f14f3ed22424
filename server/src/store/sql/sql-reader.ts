import type { CompiledQuery } from 'kysely';
import type { Sql } from './open.ts';
import { createPostgresReader } from './postgres-reader.ts';
import { createSqliteReader } from './sqlite-reader.ts';

/** Queries beside the writers. They see what was committed before they began. */
export interface SqlReader {
  /** What an index answers; it never holds up the event loop. One whose signal is aborted while it waits is not begun. */
  rows<T>(query: CompiledQuery, signal?: AbortSignal): Promise<T[]>;
  /** A handful of rows by an index. */
  readonly lookUp: Sql['lookUp'];
  /** What may take long: nothing else waits for it, and it is killed when the signal is aborted. */
  openSearch(signal: AbortSignal): Promise<SqlSearch>;
  /** A view of one moment; it stays the same until it is closed, or the signal is aborted. */
  openView(options: ViewOptions): Promise<SqlView>;
  close(): Promise<void>;
}

export interface SqlSearch {
  rows<T>(query: CompiledQuery): Promise<T[]>;
  /** To be called once all its queries are answered or have failed. */
  close(): Promise<void>;
}

interface ViewOptions {
  readonly signal: AbortSignal;
  /** A query may take long before its first row. */
  readonly searches: boolean;
}

export interface SqlView extends SqlSearch {
  /** The rows of a query as lines of text, made where they are read: to hand over rows costs more than to read them. */
  lines(query: CompiledQuery, renderer: RowRenderer): AsyncIterable<Uint8Array | string>;
}

/** A function that makes a line of the cells of a row, by the place it is exported from: no thread takes a function. */
export interface RowRenderer {
  readonly module: string;
  readonly name: string;
}

interface ReaderPlace {
  readonly sql: Pick<Sql, 'db' | 'lookUp'>;
  /** A PostgreSQL server; without it the SQLite `file` is read. */
  readonly url: string | undefined;
  readonly file: string;
  /** So many searches and views are open at the same time. */
  readonly atOnce: number;
}

export const createSqlReader = ({ sql, url, file, atOnce }: ReaderPlace): SqlReader =>
  url === undefined ? createSqliteReader(file, sql) : createPostgresReader({ ...sql, url, atOnce });
