import type { ActiveLeg } from '../../engine.ts';
import type { EngineEvent } from '../../events.ts';
import type { Ami, AmiMessage } from '../control/ami.ts';

/** If there are more channels than this, the end of some was missed. */
const MAX_HELD = 10_000;

interface HeldCallParts {
  readonly ami: Pick<Ami, 'listen'>;
  readonly tell: (event: EngineEvent) => void;
  readonly activeCalls: () => Promise<readonly ActiveLeg[]>;
  readonly onError: (error: unknown) => void;
}

/**
 * Which legs are on hold. The journal does not show it, so it comes from a control connection; a hold from before that
 * connection is unknown.
 */
export function createHeldCalls({ ami, tell, activeCalls, onError }: HeldCallParts) {
  /** Channels that hold, each with its call. */
  const holding = new Map<string, string>();

  const isIn = ({ source, destination }: ActiveLeg, channel: string): boolean =>
    source.channel === channel || destination.channel === channel;
  const withHold = (leg: ActiveLeg): ActiveLeg =>
    holding.has(leg.source.channel) || holding.has(leg.destination.channel) ? { ...leg, isHeld: true } : leg;

  async function tellLegsOf(channel: string): Promise<void> {
    for (const leg of await activeCalls())
      if (isIn(leg, channel)) tell({ type: 'leg-changed', leg: withHold(leg) });
  }

  const stop = ami.listen((event: AmiMessage) => {
    if (event.Event !== 'Hold' && event.Event !== 'Unhold') return;
    // Line breaks in a caller's number may add lines with any key, after the true ones.
    const [channel = '', linkedId = ''] = [event.Channel, event.Linkedid].map((text) => text?.split('\n')[0]);
    if (event.Event === 'Unhold') holding.delete(channel);
    else {
      if (holding.size >= MAX_HELD) holding.delete(holding.keys().next().value as string);
      holding.set(channel, linkedId);
    }
    void tellLegsOf(channel).catch(onError);
  });

  return {
    withHold,
    /** An event as it is reported: with the legs' hold. */
    noted(event: EngineEvent): EngineEvent {
      if (event.type === 'leg-started' || event.type === 'leg-changed')
        return { ...event, leg: withHold(event.leg) };
      if (event.type === 'call-ended')
        for (const [channel, linkedId] of holding) if (linkedId === event.linkedId) holding.delete(channel);
      return event;
    },
    /** Without events, the end of a hold would be missed. */
    forget: (): void => holding.clear(),
    close: stop,
  };
}
