import { type Field } from './field.ts';
/** Why it cannot be a unique value; `undefined` if it can. */
export declare function uniqueProblem(value: string): string | undefined;
/** A field with a unique value. */
export declare function unique(field: Field<string>): Field<string>;
/**
 * The key by which equal values are found. Values stored before the field was unique, or before it was bounded, may be
 * longer: their key is a digest in capitals, which no folded text contains.
 */
export declare function uniqueKey(value: string): string;
