import type { FieldDescriptions } from '../description.ts';
import { type Fields } from './field.ts';
/** Declared fields, read and checked; they come from a module and may be anything. */
export interface DeclaredFields {
    readonly descriptions: FieldDescriptions;
    /** Defaults apply on create only (contract 9.1). */
    readonly create: Fields;
    /** PUT requires what is required and adds no defaults. */
    readonly replace: Fields;
    readonly patch: Fields;
    /** For a query: as for create. */
    readonly query: Fields;
    /** Only in answers. */
    readonly readOnly: readonly string[];
}
/** Declares fields; all of them share one limit for matching defaults against patterns. */
export declare function createDeclarations(): (given: unknown, where: string) => DeclaredFields;
export declare const declareFields: (given: unknown, where: string) => DeclaredFields;
/** PUT replaces the whole record and adds no default (contract 9.1). */
export declare function unsentAsNull(body: unknown, fields: Fields): Record<string, unknown>;
