import type { CallActs } from '../description.ts';
import { readCallId, readOriginate, readTransfer } from '../fields/call-orders.ts';
import { invalid } from '../refusal.ts';

/** An act on a call that the module requested in valid form. */
export type AskedAct =
  | { readonly act: 'originate'; readonly from: string; readonly to: string; readonly ringSeconds: number }
  | { readonly act: 'hangup'; readonly callId: string }
  | { readonly act: 'transfer'; readonly callId: string; readonly to: string; readonly by: string };

/** Calls for tests: checked by the rules of the exchange, but never made. */
export function createMemoryCalls({ originate, hangup, transfer }: Partial<CallActs>) {
  const asked: AskedAct[] = [];
  const acts: CallActs = {
    async originate(given) {
      const order = checked(readOriginate(given));
      asked.push({ act: 'originate', ...order });
      return (await originate?.(order)) ?? `test-${asked.length}.1`;
    },
    async hangup(given) {
      const callId = checked(readCallId(given));
      asked.push({ act: 'hangup', callId });
      await hangup?.(callId);
    },
    async transfer(id, number, options) {
      const order = checked(readTransfer(id, number, options));
      const { callId, to, by } = order;
      asked.push({ act: 'transfer', callId, to, by });
      await transfer?.(callId, to, by === '' ? {} : { by });
    },
  };
  return { acts, asked };
}

function checked<T>({ order, problems }: { readonly order: T; readonly problems: readonly string[] }): T {
  const [first, ...others] = problems;
  if (first !== undefined) throw invalid(first, ...others);
  return order;
}
