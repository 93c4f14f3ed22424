import type { FieldDescriptions } from '../description.ts';
import { type Fields } from './field.ts';
/** Declared fields, read and checked as what they claim to be; they come from a module and may be anything. */
export interface DeclaredFields {
    readonly descriptions: FieldDescriptions;
    /** Defaults apply on create only (contract 9.1). */
    readonly create: Fields;
    /** PUT asks for what is required and adds nothing. */
    readonly replace: Fields;
    readonly patch: Fields;
    /** Of a query: as create. */
    readonly query: Fields;
    /** Only in answers. */
    readonly readOnly: readonly string[];
}
/** Of everything that is declared with it, the defaults are held against their patterns at once. */
export declare function createDeclarations(): (given: unknown, where: string) => DeclaredFields;
export declare const declareFields: (given: unknown, where: string) => DeclaredFields;
/** PUT really replaces, and adds no default (contract 9.1). */
export declare function unsentAsNull(body: unknown, fields: Fields): Record<string, unknown>;
