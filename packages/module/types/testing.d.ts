import type { CallActs, Context, CoreReads, JsonObject, ModuleDefinition, TelephonyEvents } from './description.ts';
import type { AskedAct } from './testing/memory-calls.ts';
import { type CallOptions, type TestAnswer, type Verb } from './testing/test-call.ts';
import { type LogLine } from './testing/test-context.ts';
export type { AskedAct, CallOptions, LogLine, TestAnswer, Verb };
export interface OpenOptions {
    /** Values of the manifest's settings; defaults are not filled in. */
    readonly settings?: JsonObject;
    /** What `context.core` answers; what is missing is refused with 403. */
    readonly core?: Partial<CoreReads>;
    /** What `context.calls` does; what is missing does nothing, and `originate` then resolves with an id of its own. */
    readonly calls?: Partial<CallActs>;
    /** What an earlier version left, each record with its `id`: the module's `migrate` is run over it. */
    readonly earlier?: {
        /** Versions, as `migrate` is told them. */
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
    /** What was asked to be done with calls, oldest first; what the exchange would refuse as malformed (422) is not in it. */
    readonly calls: readonly AskedAct[];
    /** `path` in full, or from the resource on: `/notes/5:shout`. Bodies are checked as the exchange checks them. */
    call(verb: Verb, path: string, options?: CallOptions): Promise<TestAnswer>;
    /** Tells of an event; resolves when every handler is done. */
    emit<T extends keyof TelephonyEvents>(type: T, event: TelephonyEvents[T]): Promise<void>;
    /** What the module says when it is asked for the name of a caller. */
    callerName(number: string): Promise<string | undefined>;
    /** Lets scheduled work fall due; no real time passes. */
    advance(ms: number): Promise<void>;
    close(): Promise<void>;
}
/** Starts a module of generation 3 in this process, without an exchange: what is stored is stored in memory. */
export declare function openModule(main: ModuleDefinition | ((context: Context) => ModuleDefinition | Promise<ModuleDefinition>), options?: OpenOptions): Promise<TestModule>;
