import type { CompiledQuery } from 'kysely';
import type { Sql } from './open.ts';
import { createPostgresReader } from './postgres-reader.ts';
import { createSqliteReader } from './sqlite-reader.ts';

/** Queries that run beside the writers and see what was committed before they began. */
export interface SqlReader {
  /** For queries answered by an index; never blocks the event loop. A query aborted while it waits is not started. */
  rows<T>(query: CompiledQuery, signal?: AbortSignal): Promise<T[]>;
  /** A few rows by an index. */
  readonly lookUp: Sql['lookUp'];
  /** For queries that may take long: nothing else waits for them, and an aborted signal kills them. */
  openSearch(signal: AbortSignal): Promise<SqlSearch>;
  /** A view of one moment, unchanged until it is closed or the signal is aborted. */
  openView(options: ViewOptions): Promise<SqlView>;
  close(): Promise<void>;
}

export interface SqlSearch {
  rows<T>(query: CompiledQuery): Promise<T[]>;
  /** Call it once all queries are answered or have failed. */
  close(): Promise<void>;
}

interface ViewOptions {
  readonly signal: AbortSignal;
  /** Whether a query may take long before its first row. */
  readonly searches: boolean;
}

export interface SqlView extends SqlSearch {
  /** The rows of a query as lines of text, made where they are read: transferring rows costs more than reading them. */
  lines(query: CompiledQuery, renderer: RowRenderer): AsyncIterable<Uint8Array | string>;
}

/** A function that makes a line from the cells of a row, by its export: threads cannot be passed a function. */
export interface RowRenderer {
  readonly module: string;
  readonly name: string;
}

interface ReaderPlace {
  readonly sql: Pick<Sql, 'db' | 'lookUp'>;
  /** A PostgreSQL server; without it the SQLite `file` is read. */
  readonly url: string | undefined;
  readonly file: string;
  /** Number of searches and views open at the same time. */
  readonly atOnce: number;
}

export const createSqlReader = ({ sql, url, file, atOnce }: ReaderPlace): SqlReader =>
  url === undefined ? createSqliteReader(file, sql) : createPostgresReader({ ...sql, url, atOnce });
