import { Conflict, NotFound } from '../lib/errors.ts';
import type { ActiveLeg } from './engine.ts';

/** A call that an employee is to make. */
export interface OriginateOrder {
  /** Extension. */
  readonly from: string;
  /** What he would dial. */
  readonly to: string;
  readonly ringSeconds: number;
}

export interface TransferOrder {
  /** `linkedId` of the call. */
  readonly callId: string;
  readonly to: string;
  /** Extension of who hands over; `''` = whoever of the exchange talks in it. */
  readonly by: string;
}

/** What ends an originated call whose employee did not pick up: nobody else was rung. */
export const NO_PICKUP = 'NOPICKUP';

/** The first leg of an originated call. */
export const originLegId = (linkedId: string): string => `${linkedId}-0`;

/**
 * Who hands a call over: an employee who talks in it, the called one first, since that is who usually does. An employee is
 * known by his channel: what number a caller shows is his own word.
 */
export function handingOver(
  legs: readonly ActiveLeg[],
  { callId, by }: Pick<TransferOrder, 'callId' | 'by'>,
  extensionOf: (channel: string) => string,
): { readonly leg: ActiveLeg; readonly side: 'source' | 'destination'; readonly extension: string } {
  const call = legs.filter(({ linkedId }) => linkedId === callId);
  if (call.length === 0) throw new NotFound(`call ${callId} not found`);
  const talks = call.filter(({ answeredAt, isApplication }) => answeredAt !== null && !isApplication);
  for (const leg of talks.reverse())
    for (const side of ['destination', 'source'] as const) {
      const extension = extensionOf(leg[side].channel);
      if (extension !== '' && (by === '' || by === extension)) return { leg, side, extension };
    }
  throw new Conflict(
    by === '' ? `no employee talks in the call ${callId}` : `${by} does not talk in the call ${callId}`,
  );
}
