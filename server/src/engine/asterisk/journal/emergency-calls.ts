import type { ActiveLeg } from '../../engine.ts';
import type { EngineEvent } from '../../events.ts';
import { activeLeg, type LegState } from './leg.ts';

interface EmergencyParts {
  readonly underWay: () => readonly LegState[];
  readonly tell: (event: EngineEvent) => void;
  readonly linkedIds?: readonly string[] | undefined;
}

/** Marks the legs of calls in which an emergency number was dialled: all of them, until the call is over. */
export function createEmergencyCalls({ underWay, tell, linkedIds = [] }: EmergencyParts) {
  const calls = new Set(linkedIds);

  const marked = <L extends ActiveLeg>(leg: L): L =>
    calls.has(leg.linkedId) ? { ...leg, isEmergency: true } : leg;

  const tellMarked = (event: EngineEvent): void =>
    tell(calls.size > 0 && 'leg' in event ? ({ ...event, leg: marked(event.leg) } as EngineEvent) : event);

  function begin(linkedId: string): void {
    if (calls.has(linkedId)) return;
    calls.add(linkedId);
    for (const leg of underWay())
      if (leg.linkedId === linkedId) tellMarked({ type: 'leg-changed', leg: activeLeg(leg) });
  }

  return {
    marked,
    tell: tellMarked,
    begin,
    /** A party of one call is now in another. */
    move(from: string, to: string): void {
      if (calls.has(from)) begin(to);
    },
    end: (linkedId: string): void => void calls.delete(linkedId),
    state: (): string[] => [...calls],
  };
}
