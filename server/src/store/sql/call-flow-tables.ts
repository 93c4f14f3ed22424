import type { ColumnType } from 'kysely';

/** Records of all kinds that say where calls go (ADR 45). `fields` is JSON. */
export interface CallFlowRecordTable {
  kind: string;
  id: string;
  /** By which it is dialled; NULL for what cannot be. */
  number: string | null;
  name: string;
  priority: number;
  fields: string;
  /** JSON: which of the numbers that it names were of employees, queues or menus when it was written. */
  inside: ColumnType<string, string | undefined>;
  created_at: number;
  updated_at: number;
}

/** Which field of a record names what: a number, a sound, a provider, a route. */
export interface CallFlowReferenceTable {
  kind: string;
  id: string;
  field: string;
  named: string;
  name: string;
  /** '1': it goes when what it names goes; '0': it keeps that from going. */
  gives_way: '0' | '1';
}

/** The last id of each kind that was given; none comes back. */
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

/** What the switch of the opening hours was set to, in one row. */
export interface HoursOverridesTable {
  /** Milliseconds of the epoch of the last change. */
  revision: number;
  /** JSON. */
  overrides: string;
}
