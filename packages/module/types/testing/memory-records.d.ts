import type { JsonObject, RecordStore } from '../description.ts';
import type { DeclaredFields } from '../fields/declared-fields.ts';
interface MemoryParts {
    readonly name: string;
    readonly fields: DeclaredFields;
    readonly warn: (text: string) => void;
    /** What an earlier version left; each has an `id`. */
    readonly earlier?: readonly JsonObject[] | undefined;
    /** While data of an earlier version are moved, everything is shown that is stored. */
    readonly isMoving?: () => boolean;
}
/** A twin of the records that the exchange keeps for a `stored` resource; their rules are the same code. */
export declare function createMemoryRecords({ name, fields, warn, earlier, isMoving }: MemoryParts): {
    store: RecordStore;
    /** Every record as this version declares it: what must be found in it, and what no other may hold. */
    index(): void;
};
export {};
