/**
 * A string or number that a module passed; empty if absent. Nothing else is converted: converting a list takes as long
 * as it is large, and an object may not be convertible.
 */
export declare function readAsked(value: unknown, name: string, refusal: (reason: string) => Error): string;
