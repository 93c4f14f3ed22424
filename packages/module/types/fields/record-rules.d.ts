import type { DeclaredFields } from './declared-fields.ts';
export type RecordValues = Readonly<Record<string, unknown>>;
/** The values of a record, its search text, and its unique values. */
export interface RecordRow {
    readonly values: RecordValues;
    readonly searchText: string;
    readonly unique: Readonly<Record<string, string>>;
}
/** The rules for records of a `stored` resource, wherever they are stored. */
export declare function createRecordRules(fields: DeclaredFields): {
    isUnique: (field: string) => boolean;
    /** Rows written in addition to each record. */
    uniqueFields: number;
    /** The searched and the unique fields as text: if it changes, all rows must be rewritten. */
    index: string;
    /** A record has every declared field; one that was never set is `null`. */
    shown: (id: string, values: RecordValues) => Record<string, unknown>;
    /** Values declared by another version of the module are kept beside those of this one. */
    rowOf(values: RecordValues): RecordRow;
    /**
     * What the module's own code stores is checked like a request; it may also set read-only fields, and its `null`
     * empties a field: that is how a PUT reaches it.
     */
    checked(sent: unknown, kind: 'create' | 'patch'): {
        values: RecordValues;
        problems: string[];
    };
};
