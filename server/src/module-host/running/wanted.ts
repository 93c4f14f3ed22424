import type { DataState } from '../data/data-places.ts';
import type { Accepted } from '../description/accepted-rights.ts';

/** What shall run, with which settings and data. */
export type Wanted = ReadonlyMap<string, Want>;

export interface Want {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly data: DataState;
  readonly accepted: Accepted | undefined;
}
