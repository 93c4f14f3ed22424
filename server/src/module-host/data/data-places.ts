import type { RecordRows, ValueRows } from './record-rows.ts';

/** Where the data of a module lie, and which version of it they are in the shape of. */
export interface DataState {
  readonly place: string;
  /** Empty: nobody has noted it yet. */
  readonly version: string;
  /** The last version that migrated them, if any did: older ones cannot read them. */
  readonly since: string;
}

/** What one module keeps. Its data are moved as a whole: copied to another place, changed there, and then that one counts. */
export interface DataPlaces {
  rows(place: string, resource: string): RecordRows;
  values(place: string): ValueRows;
  isEmpty(place: string): Promise<boolean>;
  /** How the records of each resource are indexed; empty: nobody has noted it yet. */
  indexes(place: string): Promise<ReadonlyMap<string, string>>;
  noteIndexes(place: string, indexes: ReadonlyMap<string, string>): Promise<void>;
  noteVersion(version: string): Promise<void>;
  /** As it is now: another node may have moved them, and so may a start that has ended. */
  stored(): Promise<DataState>;
  /** No id is given again, whatever lost count of them. */
  raiseLastIds(place: string): Promise<void>;
  /** Copies all that is there. Resolves to the new place. */
  copy(place: string): Promise<string>;
  /** From now on the data lie there. Resolves to what is stored then: another node may have been first. */
  settle(from: DataState, to: DataState): Promise<DataState>;
  forget(place: string): Promise<void>;
  /** Removes what was left behind long ago. */
  sweep(current: string): Promise<void>;
}
