import type { DesiredOutboundRoute } from '../../../engine/desired-call-flow.ts';
import type { FlowRecord } from '../../../lib/flow-record.ts';
import { inTurn, numberRuleOf } from './outbound-route.ts';

/** Stored routes as the engine tries them; `undefined` when there is none (contract 23.1). */
export function desiredRoutes(stored: readonly FlowRecord[]): DesiredOutboundRoute[] | undefined {
  if (stored.length === 0) return undefined;
  return inTurn(stored).map(({ id, name, values }) => ({
    id: Number(id),
    name,
    providerId: values.providerid,
    ...numberRuleOf(values),
    callerId: values.callerid,
    forwardedCallerId: values.callerid_forwarded,
    callClass: values.call_class,
    isDisabled: values.disabled,
  }));
}
