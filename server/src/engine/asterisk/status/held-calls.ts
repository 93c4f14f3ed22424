import type { ActiveLeg } from '../../engine.ts';
import type { EngineEvent } from '../../events.ts';
import type { Ami, AmiMessage } from '../control/ami.ts';

/** More channels than this were not all told to be over. */
const MAX_HELD = 10_000;

interface HeldCallParts {
  readonly ami: Pick<Ami, 'listen'>;
  readonly tell: (event: EngineEvent) => void;
  readonly activeCalls: () => Promise<readonly ActiveLeg[]>;
  readonly onError: (error: unknown) => void;
}

/**
 * Which legs are on hold. The journal does not say it, so it is heard on a control connection; who holds since before that
 * began is not known.
 */
export function createHeldCalls({ ami, tell, activeCalls, onError }: HeldCallParts) {
  /** Channels of those who hold, with the call. */
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
    // A caller's number with line breaks in it may bring more lines of any name, behind those that are true.
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
    /** An event as it is told: with who holds. */
    noted(event: EngineEvent): EngineEvent {
      if (event.type === 'leg-started' || event.type === 'leg-changed')
        return { ...event, leg: withHold(event.leg) };
      if (event.type === 'call-ended')
        for (const [channel, linkedId] of holding) if (linkedId === event.linkedId) holding.delete(channel);
      return event;
    },
    /** Who ends it meanwhile is not heard. */
    forget: (): void => holding.clear(),
    close: stop,
  };
}
