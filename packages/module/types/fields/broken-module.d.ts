/**
 * A module that cannot be used, and why, for its author and the operator. The module may have chosen the words: they
 * are one line without control characters.
 */
export declare class BrokenModule extends Error {
    constructor(reason: string);
}
/** Asserts a condition of a check. */
export declare function must(holds: unknown, reason: string): asserts holds;
/** For messages: text from a hostile manifest must not fill the log or break a line. */
export declare const shown: (value: unknown) => string;
export declare const isObject: (value: unknown) => value is Record<string, unknown>;
