import { Conflict, NotFound } from '../lib/errors.ts';
import type { ActiveLeg } from './engine.ts';

/** An order to make a call for an employee. */
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
  /** Extension of the employee who transfers; `''` = any employee who talks in the call. */
  readonly by: string;
}

/** Status of an originated call whose employee did not pick up: nobody else was rung. */
export const NO_PICKUP = 'NOPICKUP';

/** The first leg of an originated call. */
export const originLegId = (linkedId: string): string => `${linkedId}-0`;

/**
 * Finds who transfers a call: an employee who talks in it, the called one first, since that is the usual case.
 * Employees are known by their channel, because a caller can show any number.
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
    by === '' ? `no employee is talking in call ${callId}` : `${by} is not talking in call ${callId}`,
  );
}
