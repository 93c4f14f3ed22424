import type { RecordRow, RecordValues } from '@pbxcore/module/fields';
import type { Conflict, NotFound, RuleBroken } from '../../lib/errors.ts';

export type { RecordRow, RecordValues };

export interface Page {
  readonly limit: number | undefined;
  readonly offset: number;
  readonly search: string | undefined;
}

export interface RowsWanted {
  readonly search: string | undefined;
  /** Only those behind the one with this id. */
  readonly after?: string | undefined;
  readonly offset: number;
  readonly limit: number;
  /** Of their data together. The first one comes whatever its size. */
  readonly bytes: number;
}

interface SomeRows {
  readonly rows: readonly { readonly id: string; readonly values: RecordValues }[];
  readonly hasMore: boolean;
  /** Fewer than the limit, because of their size. */
  readonly isCut: boolean;
}

/** Where the rows of one resource lie. A taken unique value is a `Conflict`. Reading many holds nobody up. */
export interface RecordRows {
  /** In the order of their ids. */
  some(wanted: RowsWanted): Promise<SomeRows>;
  count(search: string | undefined): Promise<number>;
  get(id: string): Promise<RecordValues | undefined>;
  find(field: string, value: string): Promise<{ id: string; values: RecordValues } | undefined>;
  insert(row: RecordRow): Promise<string>;
  /** `change` sees the row as nobody else can change it meanwhile. */
  update(id: string, change: (values: RecordValues) => RecordRow): Promise<RecordValues | undefined>;
  remove(id: string): Promise<boolean>;
  /** Many at once, in a few transactions. What cannot be written is told in its place; the rest is. */
  save(changes: readonly RowChange[]): Promise<(string | NotFound | Conflict | RuleBroken)[]>;
}

export interface RowChange {
  /** A new row when there is none. */
  readonly id: string | undefined;
  readonly change: (values: RecordValues) => RecordRow;
}

/** Values of one module, by key; kept where every node sees them. */
export interface ValueRows {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** In order, behind `after`. */
  keys(wanted: { prefix: string; after: string; limit: number }): Promise<string[]>;
}
