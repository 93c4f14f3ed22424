import type { ColumnType } from 'kysely';

/** Records of all kinds that determine where calls go (ADR 45). `fields` is JSON. */
export interface CallFlowRecordTable {
  kind: string;
  id: string;
  /** The number to dial for it; NULL when it cannot be dialled. */
  number: string | null;
  name: string;
  priority: number;
  fields: string;
  /** JSON: the numbers it refers to that belonged to employees, queues or menus when it was written. */
  inside: ColumnType<string, string | undefined>;
  created_at: number;
  updated_at: number;
}

/** References from a field of a record to a number, a sound, a provider or a route. */
export interface CallFlowReferenceTable {
  kind: string;
  id: string;
  field: string;
  named: string;
  name: string;
  /** '1': the reference is removed with its target; '0': it prevents the deletion of its target. */
  gives_way: '0' | '1';
}

/** The last id assigned of each kind; ids are never reused. */
export interface CallFlowIdTable {
  kind: string;
  last: number;
}

export interface CallFlowChangesTable {
  version: number;
}

export interface NumberTurnTable {
  turn: number;
}

/** The setting of the opening-hours switch, in one row. */
export interface HoursOverridesTable {
  /** Time of the last change, in milliseconds since the epoch. */
  revision: number;
  /** JSON. */
  overrides: string;
}
