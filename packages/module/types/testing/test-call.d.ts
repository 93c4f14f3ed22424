import type { Call, Channel, Context, CoreReads, JsonObject, ModuleDefinition, ResourceDefinition } from '../description.ts';
export interface CallOptions {
    /** Text and bytes are for operations with `body: 'raw'`. */
    readonly body?: JsonObject | string | Uint8Array;
    readonly query?: JsonObject;
    /** By default `bearer_token`. */
    readonly channel?: Channel;
    readonly caller?: Call['caller'];
    readonly headers?: Readonly<Record<string, string>>;
    /** What the exchange answers with the rights of the caller. */
    readonly core?: Partial<CoreReads>;
}
export interface TestAnswer {
    readonly status: number;
    readonly data: any;
    readonly errors: readonly string[];
    readonly warnings: readonly string[];
    /** Of a list: number of all records. */
    readonly total?: number;
}
export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Calls the handler of a path as the exchange would, without HTTP. */
export declare function callModule(definition: ModuleDefinition, context: Context, verb: Verb, path: string, options: CallOptions): Promise<TestAnswer>;
export declare const nameOf: ({ path }: ResourceDefinition) => string;
