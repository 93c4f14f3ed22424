import { type Field } from './field.ts';
export declare const DEFAULT_LIMIT = 50;
/** `limit` and `offset` of every list (contract 1.7). */
export declare const pageFields: {
    limit: Field<number | undefined>;
    offset: Field<number | undefined>;
};
export interface Page {
    readonly limit?: number;
    readonly offset?: number;
}
/** Neither: all records. Only `offset`: 50 of them (contract 1.7). */
export declare const pageBounds: ({ limit, offset }: Page) => {
    limit: number | undefined;
    offset: number;
};
export declare function pageOf<T>(records: readonly T[], page: Page): T[];
