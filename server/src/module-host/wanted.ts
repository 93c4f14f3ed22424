import type { Accepted } from './accepted-rights.ts';
import type { DataState } from './module-data.ts';

/** What shall run, with which settings and data. */
export type Wanted = ReadonlyMap<string, Want>;

export interface Want {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly data: DataState;
  readonly accepted: Accepted | undefined;
}
