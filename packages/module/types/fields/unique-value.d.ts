import { type Field } from './field.ts';
/** Why it cannot be a value that no other record may hold; `undefined` when it can. */
export declare function uniqueProblem(value: string): string | undefined;
/** A field whose value no other record may hold. */
export declare function unique(field: Field<string>): Field<string>;
/**
 * By which two records that hold the same are known. What was stored before the field was unique, or this was bounded, may be
 * longer: then a digest of it, in capitals, which no folded text has.
 */
export declare function uniqueKey(value: string): string;
