import type { FieldDescriptions, RecordStore } from '../description.ts';
/** A twin of the records that the exchange keeps for a `stored` resource. */
export declare function createMemoryRecords(fields: FieldDescriptions): RecordStore;
