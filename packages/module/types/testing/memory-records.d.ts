import type { JsonObject, RecordStore } from '../description.ts';
import type { DeclaredFields } from '../fields/declared-fields.ts';
interface MemoryParts {
    readonly name: string;
    readonly fields: DeclaredFields;
    readonly warn: (text: string) => void;
    /** Records of an earlier version; each has an `id`. */
    readonly earlier?: readonly JsonObject[] | undefined;
    /** While data of an earlier version are migrated, everything that is stored is shown. */
    readonly isMoving?: () => boolean;
}
/** A test double of the records that the exchange stores for a `stored` resource; it uses the same rules. */
export declare function createMemoryRecords({ name, fields, warn, earlier, isMoving }: MemoryParts): {
    store: RecordStore;
    /** Indexes every record as this version declares it: search text and unique values. */
    index(): void;
};
export {};
