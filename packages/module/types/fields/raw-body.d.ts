/** Of a body that is taken as it came: as much as of one in JSON. */
export declare const MAX_RAW_BYTES: number;
interface Declared {
    readonly body?: unknown;
    readonly maxBytes?: unknown;
    readonly csv?: unknown;
    readonly verb?: unknown;
}
/** How many bytes an operation takes as they come. `undefined`: it takes JSON. */
export declare function declareRaw({ body, maxBytes, csv, verb }: Declared, where: string): number | undefined;
export {};
