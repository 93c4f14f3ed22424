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
  /** Only rows after the one with this id. */
  readonly after?: string | undefined;
  readonly offset: number;
  readonly limit: number;
  /** Total size of their data. The first row is returned whatever its size. */
  readonly bytes: number;
}

interface SomeRows {
  readonly rows: readonly { readonly id: string; readonly values: RecordValues }[];
  readonly hasMore: boolean;
  /** There are fewer rows than the limit, because of their size. */
  readonly isCut: boolean;
}

/** The stored rows of one resource. A duplicate unique value is a `Conflict`. Reading many rows delays nobody. */
export interface RecordRows {
  /** Ordered by id. */
  some(wanted: RowsWanted): Promise<SomeRows>;
  count(search: string | undefined): Promise<number>;
  get(id: string): Promise<RecordValues | undefined>;
  find(field: string, value: string): Promise<{ id: string; values: RecordValues } | undefined>;
  insert(row: RecordRow): Promise<string>;
  /** `change` gets the row while nobody else can change it. */
  update(id: string, change: (values: RecordValues) => RecordRow): Promise<RecordValues | undefined>;
  remove(id: string): Promise<boolean>;
  /** Many at once, in a few transactions. A change that cannot be written yields its error; the others are written. */
  save(changes: readonly RowChange[]): Promise<(string | NotFound | Conflict | RuleBroken)[]>;
}

export interface RowChange {
  /** Undefined: a new row. */
  readonly id: string | undefined;
  readonly change: (values: RecordValues) => RecordRow;
}

/** Values of one module, by key, stored where every node sees them. */
export interface ValueRows {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** In order, after `after`. */
  keys(wanted: { prefix: string; after: string; limit: number }): Promise<string[]>;
}
