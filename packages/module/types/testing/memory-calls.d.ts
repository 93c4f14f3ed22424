import type { CallActs } from '../description.ts';
/** What the module asked to be done with calls, and was not refused for its form. */
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
/** Calls of a test: asked for by the rules of the exchange, made by nobody. */
export declare function createMemoryCalls({ originate, hangup, transfer }: Partial<CallActs>): {
    acts: CallActs;
    asked: AskedAct[];
};
