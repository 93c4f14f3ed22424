import type { Awaitable, CallActs, Context, CoreReads, JsonObject, Log, TelephonyEvents } from '../description.ts';
import { type DeclaredFields } from '../fields/declared-fields.ts';
export interface TestContextOptions {
    readonly settings?: JsonObject;
    /** What the exchange would answer; what is not given is refused. */
    readonly core?: Partial<CoreReads>;
    /** What the exchange would do with calls; what is not given is done. */
    readonly calls?: Partial<CallActs>;
    /** Fields of a stored resource, by its name. */
    readonly fieldsOf: (resource: string) => DeclaredFields | undefined;
    /** Records that an earlier version left, by resource. */
    readonly earlier?: Readonly<Record<string, readonly JsonObject[]>>;
}
export interface LogLine {
    readonly level: keyof Log;
    readonly text: string;
    readonly details?: JsonObject;
}
type EventName = keyof TelephonyEvents;
/** A context that lives in memory. Only the SQL is the real thing: SQLite without a file. */
export declare function createTestContext(options: TestContextOptions): {
    context: Context;
    lines: LogLine[];
    asked: import("./memory-calls.ts").AskedAct[];
    advance: (ms: number) => Promise<void>;
    /** What the module does with the records of an earlier version; then they are looked into as this one declares. */
    move(migrate: () => Awaitable<void>): Promise<void>;
    emit<T extends EventName>(type: T, event: TelephonyEvents[T]): Promise<void>;
    close: () => void;
};
/** A right that the test did not give is missing. */
export declare function refusing(core: Partial<CoreReads>): CoreReads;
export {};
