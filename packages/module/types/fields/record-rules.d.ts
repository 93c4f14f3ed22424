import type { DeclaredFields } from './declared-fields.ts';
export type RecordValues = Readonly<Record<string, unknown>>;
/** What a record holds, with what must be found in it and what no other may hold. */
export interface RecordRow {
    readonly values: RecordValues;
    readonly searchText: string;
    readonly unique: Readonly<Record<string, string>>;
}
/** What holds for the records of a `stored` resource, wherever they lie. */
export declare function createRecordRules(fields: DeclaredFields): {
    isUnique: (field: string) => boolean;
    /** Rows that are written beside each record. */
    uniqueFields: number;
    /** Which fields are looked into and which hold a value once, in one text: another one means that all rows are to be written anew. */
    index: string;
    /** A record has every declared field; one that was never set is `null`. */
    shown: (id: string, values: RecordValues) => Record<string, unknown>;
    /** What another version of the module declared stays beside what this one knows. */
    rowOf(values: RecordValues): RecordRow;
    /**
     * What the module's own code asks to be stored is checked like a request; it may also set what is read-only, and
     * its `null` empties a field: that is how a PUT reaches it.
     */
    checked(sent: unknown, kind: 'create' | 'patch'): {
        values: RecordValues;
        problems: string[];
    };
};
