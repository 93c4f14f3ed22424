import type { CallActs, Context, CoreReads, JsonObject, ModuleDefinition, TelephonyEvents } from './description.ts';
import type { AskedAct } from './testing/memory-calls.ts';
import { type CallOptions, type TestAnswer, type Verb } from './testing/test-call.ts';
import { type LogLine } from './testing/test-context.ts';
export type { AskedAct, CallOptions, LogLine, TestAnswer, Verb };
export interface OpenOptions {
    /** Values of the manifest's settings; defaults are not added. */
    readonly settings?: JsonObject;
    /** Implements `context.core`; missing methods refuse with 403. */
    readonly core?: Partial<CoreReads>;
    /** Implements `context.calls`; missing methods do nothing, and `originate` then resolves with a made-up id. */
    readonly calls?: Partial<CallActs>;
    /** Data of an earlier version, each record with its `id`: the module's `migrate` runs on them. */
    readonly earlier?: {
        /** The versions passed to `migrate`. */
        readonly from: string;
        readonly to: string;
        readonly records: Readonly<Record<string, readonly JsonObject[]>>;
    };
}
export interface TestModule {
    readonly context: Context;
    readonly definition: ModuleDefinition;
    /** What was logged, oldest first. */
    readonly log: readonly LogLine[];
    /** Requested acts on calls, oldest first, without those the exchange would refuse as malformed (422). */
    readonly calls: readonly AskedAct[];
    /** `path` in full, or from the resource on: `/notes/5:shout`. Bodies are checked as by the exchange. */
    call(verb: Verb, path: string, options?: CallOptions): Promise<TestAnswer>;
    /** Emits an event; resolves when every handler has finished. */
    emit<T extends keyof TelephonyEvents>(type: T, event: TelephonyEvents[T]): Promise<void>;
    /** The module's answer when asked for the name of a caller. */
    callerName(number: string): Promise<string | undefined>;
    /** Runs scheduled work that falls due; no real time passes. */
    advance(ms: number): Promise<void>;
    close(): Promise<void>;
}
/** Starts a module of generation 3 in this process, without an exchange: data are stored in memory. */
export declare function openModule(main: ModuleDefinition | ((context: Context) => ModuleDefinition | Promise<ModuleDefinition>), options?: OpenOptions): Promise<TestModule>;
