/**
 * Rules for values, the same everywhere: requests to the exchange, fields of modules, and tests of modules (ADR 33).
 */
/** JSON Schema, as far as the OpenAPI document needs it. */
export type Schema = Readonly<Record<string, unknown>>;
/**
 * One field: how it is read and how it is documented. `read` throws a `FieldProblem` whose text says what is wrong and
 * what is allowed.
 */
export interface Field<T> {
    read(value: unknown): T;
    /** As it may be sent. */
    readonly schema: Schema;
    /** As answers contain it. */
    readonly answer: Schema;
    readonly required: boolean;
    /** Used when the field was not sent. */
    readonly fallback?: () => T;
}
export type Fields = Readonly<Record<string, Field<unknown>>>;
type Optional<F extends Fields> = {
    [K in keyof F]: undefined extends ReadOf<F[K]> ? K : never;
}[keyof F];
export type ReadOf<F> = F extends Field<infer T> ? T : never;
/** The values read by a set of fields. */
export type Input<F extends Fields> = {
    [K in Exclude<keyof F, Optional<F>>]: ReadOf<F[K]>;
} & {
    [K in Optional<F>]?: Exclude<ReadOf<F[K]>, undefined>;
};
export declare class FieldProblem extends Error {
}
/** Reads what was sent. Returns all problems together (contract 1.3); if there are any, the values must not be used. */
export declare function readSent<F extends Fields>(fields: F, sent: Readonly<Record<string, unknown>>): {
    values: Input<F>;
    problems: string[];
    wrong: string[];
    unknown: string[];
};
export declare const optional: <T>(field: Field<T>) => Field<T | undefined>;
/** `shown` is the default as a client would write it, if that differs from the value read. */
export declare const withDefault: <T>(field: Field<T>, value: T, shown?: unknown) => Field<T>;
/** A field with a sentence for the OpenAPI document. */
export declare const described: <T>(field: Field<T>, description: string) => Field<T>;
type Partly<F extends Fields> = {
    [K in keyof F]: Field<ReadOf<F[K]> | undefined>;
};
/** For PATCH: every field may be absent, and defaults do not apply. */
export declare const partly: <F extends Fields>(fields: F) => Partly<F>;
interface TextRules {
    readonly min?: number;
    readonly max: number;
    /** Secrets are not trimmed. */
    readonly untrimmed?: true;
    /** Line breaks and tabs are allowed, for lists. */
    readonly whiteSpace?: true;
    readonly pattern?: {
        readonly test: RegExp;
        readonly says: string;
    };
}
/** Length in code points, never truncated, control characters refused, markup left alone (contract 1.6). */
export declare function text(rules: TextRules): Field<string>;
/** A JSON integer, or a string of digits with optional minus; no fractions (contract 1.6). */
export declare function integer(bounds: {
    readonly min: number;
    readonly max: number;
}): Field<number>;
/** `true` `false` `"true"` `"false"` `"1"` `"0"` `1` `0`, nothing else (contract 1.6). */
export declare const boolean: Field<boolean>;
export declare function oneOf<const T extends string>(values: readonly T[]): Field<T>;
/** Anything, read by a function of the feature. The schema for answers is the same. */
export declare function custom<T>(schema: Schema, read: (value: unknown) => T): Field<T>;
export {};
