import type { CallActs } from '../description.ts';
/** An act on a call that the module requested in valid form. */
export type AskedAct = {
    readonly act: 'originate';
    readonly from: string;
    readonly to: string;
    readonly ringSeconds: number;
} | {
    readonly act: 'hangup';
    readonly callId: string;
} | {
    readonly act: 'transfer';
    readonly callId: string;
    readonly to: string;
    readonly by: string;
};
/** Calls for tests: checked by the rules of the exchange, but never made. */
export declare function createMemoryCalls({ originate, hangup, transfer }: Partial<CallActs>): {
    acts: CallActs;
    asked: AskedAct[];
};
