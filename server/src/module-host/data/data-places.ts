import type { RecordRows, ValueRows } from './record-rows.ts';

/** Where a module's data are stored, and which version they fit. */
export interface DataState {
  readonly place: string;
  /** Empty: not noted yet. */
  readonly version: string;
  /** The last version that migrated them, if any: older versions cannot read them. */
  readonly since: string;
}

/** What one module stores. Its data move as a whole: they are copied, and the changed copy then becomes current. */
export interface DataPlaces {
  rows(place: string, resource: string): RecordRows;
  values(place: string): ValueRows;
  isEmpty(place: string): Promise<boolean>;
  /** How the records of each resource are indexed; empty: not noted yet. */
  indexes(place: string): Promise<ReadonlyMap<string, string>>;
  noteIndexes(place: string, indexes: ReadonlyMap<string, string>): Promise<void>;
  noteVersion(version: string): Promise<void>;
  /** As it is now: another node may have moved the data, and so may a start that has ended. */
  stored(): Promise<DataState>;
  /** Ensures that no id is given twice, even if the count of them was lost. */
  raiseLastIds(place: string): Promise<void>;
  /** Copies everything. Resolves to the new place. */
  copy(place: string): Promise<string>;
  /** Makes the data at `to` current. Resolves to what is stored then: another node may have been first. */
  settle(from: DataState, to: DataState): Promise<DataState>;
  forget(place: string): Promise<void>;
  /** Removes copies left behind long ago. */
  sweep(current: string): Promise<void>;
}
