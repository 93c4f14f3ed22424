import type { Context, CoreReads, JsonObject, Log, TelephonyEvents } from '../description.ts';
import type { DeclaredFields } from '../fields/declared-fields.ts';
export interface TestContextOptions {
    readonly settings?: JsonObject;
    /** What the exchange would answer; what is not given is refused. */
    readonly core?: Partial<CoreReads>;
    /** Fields of a stored resource, by its name. */
    readonly fieldsOf: (resource: string) => DeclaredFields | undefined;
}
export interface LogLine {
    readonly level: keyof Log;
    readonly text: string;
    readonly details?: JsonObject;
}
type EventName = keyof TelephonyEvents;
/** A context that lives in memory. Only the SQL is the real thing: SQLite without a file. */
export declare function createTestContext({ settings, core, fieldsOf }: TestContextOptions): {
    context: Context;
    lines: LogLine[];
    advance: (ms: number) => Promise<void>;
    emit<T extends EventName>(type: T, event: TelephonyEvents[T]): Promise<void>;
    close: () => void;
};
/** A right that the test did not give is missing. */
export declare function refusing(core: Partial<CoreReads>): CoreReads;
export {};
