import { useState } from 'react';
import type { LiveCall } from '../../../api/live-cache.ts';

export interface LiveRow {
  readonly call: LiveCall;
  /** The call is over; its row only stays because of the pointer. */
  readonly ended: boolean;
}

/**
 * Rows do not move under the pointer: while it is there, ended calls keep their place, and new ones are added at the
 * end.
 */
export function useSteadyRows(calls: readonly LiveCall[], pointed: boolean): readonly LiveRow[] {
  const [shown, setShown] = useState<readonly LiveRow[]>([]);
  const [seen, setSeen] = useState<{ calls: readonly LiveCall[]; pointed: boolean }>();
  if (seen?.calls === calls && seen.pointed === pointed) return shown;
  const next = pointed ? steadyRows(shown, calls) : calls.map((call) => ({ call, ended: false }));
  setSeen({ calls, pointed });
  setShown(next);
  return next;
}

function steadyRows(shown: readonly LiveRow[], calls: readonly LiveCall[]): LiveRow[] {
  const current = new Map(calls.map((call) => [call.linkedid, call]));
  const kept = shown.map(({ call }) => {
    const now = current.get(call.linkedid);
    current.delete(call.linkedid);
    return now ? { call: now, ended: false } : { call, ended: true };
  });
  return [...kept, ...[...current.values()].map((call) => ({ call, ended: false }))];
}
