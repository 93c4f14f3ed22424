/** Acts on calls that a module asks for, checked; only these reach the engine. */
export interface CheckedOriginate {
    readonly from: string;
    readonly to: string;
    readonly ringSeconds: number;
}
export interface CheckedTransfer {
    readonly callId: string;
    readonly to: string;
    /** Empty: any employee in the call. */
    readonly by: string;
}
export interface Checked<T> {
    /** Usable only if there are no problems. */
    readonly order: T;
    readonly problems: readonly string[];
}
export declare function readOriginate(given: unknown): Checked<CheckedOriginate>;
export declare function readTransfer(callId: unknown, to: unknown, options: unknown): Checked<CheckedTransfer>;
export declare const readCallId: (callId: unknown) => Checked<string>;
