/**
 * A module that cannot be used, and why, in words for its author and for the operator. The module may have chosen them:
 * they are one line, and nothing in them steers a terminal.
 */
export declare class BrokenModule extends Error {
    constructor(reason: string);
}
/** The rest of a check that must hold. */
export declare function must(holds: unknown, reason: string): asserts holds;
/** For messages: what a hostile manifest says must not fill the log or break a line. */
export declare const shown: (value: unknown) => string;
export declare const isObject: (value: unknown) => value is Record<string, unknown>;
