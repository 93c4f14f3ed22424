import type { Awaitable, CallActs, Context, CoreReads, JsonObject, Log, TelephonyEvents } from '../description.ts';
import { type DeclaredFields } from '../fields/declared-fields.ts';
export interface TestContextOptions {
    readonly settings?: JsonObject;
    /** What the exchange would answer; missing methods refuse. */
    readonly core?: Partial<CoreReads>;
    /** What the exchange would do with calls; missing methods succeed. */
    readonly calls?: Partial<CallActs>;
    /** Fields of a stored resource, by its name. */
    readonly fieldsOf: (resource: string) => DeclaredFields | undefined;
    /** Records of an earlier version, by resource. */
    readonly earlier?: Readonly<Record<string, readonly JsonObject[]>>;
}
export interface LogLine {
    readonly level: keyof Log;
    readonly text: string;
    readonly details?: JsonObject;
}
type EventName = keyof TelephonyEvents;
/** A context in memory. Only SQL is real: SQLite without a file. */
export declare function createTestContext(options: TestContextOptions): {
    context: Context;
    lines: LogLine[];
    asked: import("./memory-calls.ts").AskedAct[];
    advance: (ms: number) => Promise<void>;
    /** Runs the module's migration of earlier records, then indexes them as this version declares. */
    move(migrate: () => Awaitable<void>): Promise<void>;
    emit<T extends EventName>(type: T, event: TelephonyEvents[T]): Promise<void>;
    close: () => void;
};
/** A right that the test did not grant is missing. */
export declare function refusing(core: Partial<CoreReads>): CoreReads;
export {};
