import type { RecordStore } from '../description.ts';
import type { DeclaredFields } from '../fields/declared-fields.ts';
/** A twin of the records that the exchange keeps for a `stored` resource; their rules are the same code. */
export declare function createMemoryRecords(fields: DeclaredFields): RecordStore;
