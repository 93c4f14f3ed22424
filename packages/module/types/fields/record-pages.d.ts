/** How much of its records a module gets at once; the exchange and its twin for tests keep to the same. */
export declare const MAX_LIST = 1000;
export declare const MAX_LIST_BYTES: number;
export declare const MAX_KEYS = 1000;
/** Of the text that is looked for. */
export declare const MAX_SEARCH = 1000;
export declare const MAX_CHANGES = 1000;
/** Of one question to the exchange, as JSON: a record or value to be kept, or many of them. */
export declare const MAX_QUESTION_BYTES: number;
export declare const MAX_VALUE_BYTES: number;
/** Lists, objects and what they hold, in one that is larger than a value may be: to read them takes longer than their size tells. */
export declare const MAX_QUESTION_VALUES = 20000;
/** One spelling for each: whoever compares ids, or locks by them, is not passed by another. */
export declare const RECORD_ID = "[1-9]\\d{0,14}";
interface Bounds {
    readonly limit: number;
    readonly offset: number;
    readonly search: string | undefined;
    /** The author named a limit: it is met or refused, so that a short page always means the end. */
    readonly isExact: boolean;
}
/** Whatever a module's code asks for, within bounds. */
export declare function listBounds(query: unknown): Bounds;
export declare const TOO_LARGE_PAGE = "limit: so many records are more than 4194304 bytes, ask for fewer";
export declare const TOO_LONG_SEARCH = "search: at most 1000 characters";
/** What the log of a module says when it asked for all and got some. */
export declare const cutList: (resource: string, { got, total }: {
    got: number;
    total: number;
}) => string;
export declare const CUT_KEYS = "store.keys() gave the first 1000: go on with the last of them as its second argument";
export {};
