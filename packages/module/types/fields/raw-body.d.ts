/** Of a raw body: as much as of a JSON body. */
export declare const MAX_RAW_BYTES: number;
interface Declared {
    readonly body?: unknown;
    readonly maxBytes?: unknown;
    readonly csv?: unknown;
    readonly verb?: unknown;
}
/** How many raw bytes an operation takes. `undefined`: it takes JSON. */
export declare function declareRaw({ body, maxBytes, csv, verb }: Declared, where: string): number | undefined;
export {};
