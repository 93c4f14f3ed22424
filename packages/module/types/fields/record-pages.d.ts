/** How many records a module gets at once; the same for the exchange and its test double. */
export declare const MAX_LIST = 1000;
export declare const MAX_LIST_BYTES: number;
export declare const MAX_KEYS = 1000;
/** Of the search text. */
export declare const MAX_SEARCH = 1000;
export declare const MAX_CHANGES = 1000;
/** Of one question to the exchange, as JSON: a record or value to store, or many of them. */
export declare const MAX_QUESTION_BYTES: number;
export declare const MAX_VALUE_BYTES: number;
/** Arrays, objects and their contents, in JSON beyond the size of a value: its size does not show its cost. */
export declare const MAX_QUESTION_VALUES = 20000;
/** Only one spelling for each, so that comparing ids and locking by id cannot be evaded. */
export declare const RECORD_ID = "[1-9]\\d{0,14}";
interface Bounds {
    readonly limit: number;
    readonly offset: number;
    readonly search: string | undefined;
    /** The author named a limit: it is met or refused, so that a short page always means the end. */
    readonly isExact: boolean;
}
/** The bounds of a list, from whatever a module's code passed. */
export declare function listBounds(query: unknown): Bounds;
export declare const TOO_LARGE_PAGE = "limit: so many records are more than 4194304 bytes, ask for fewer";
export declare const TOO_LONG_SEARCH = "search: at most 1000 characters";
/** The log line for a module that asked for all records and got only some. */
export declare const cutList: (resource: string, { got, total }: {
    got: number;
    total: number;
}) => string;
export declare const CUT_KEYS = "store.keys() gave the first 1000: go on with the last of them as its second argument";
export {};
