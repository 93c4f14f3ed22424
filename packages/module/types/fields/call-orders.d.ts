/** What a module asks to be done with calls, checked; nothing but what these let through reaches the engine. */
export interface CheckedOriginate {
    readonly from: string;
    readonly to: string;
    readonly ringSeconds: number;
}
export interface CheckedTransfer {
    readonly callId: string;
    readonly to: string;
    /** Empty: whoever of the exchange talks in it. */
    readonly by: string;
}
export interface Checked<T> {
    /** Of use only without problems. */
    readonly order: T;
    readonly problems: readonly string[];
}
export declare function readOriginate(given: unknown): Checked<CheckedOriginate>;
export declare function readTransfer(callId: unknown, to: unknown, options: unknown): Checked<CheckedTransfer>;
export declare const readCallId: (callId: unknown) => Checked<string>;
