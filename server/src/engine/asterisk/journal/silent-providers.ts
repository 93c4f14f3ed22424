import type { Clock } from '../../../lib/clock.ts';
import type { Ami } from '../control/ami.ts';
import type { LegState } from './leg.ts';

/** A provider that said "trying" and then nothing for so long will say nothing any more. */
const SILENT_MS = 12_000;
const LOOK_MS = 1000;
const RINGING_OR_UP = new Set(['5', '6']);
/** Congestion: the next provider is tried. */
const CAUSE = '34';
const SOUND = 'CHANNEL(rtp,dest)';

interface SilentProviderParts {
  readonly ami: Pick<Ami, 'action' | 'list'>;
  readonly clock: Clock;
  /** Legs that nobody answered yet. */
  readonly waiting: () => readonly LegState[];
}

/**
 * Hangs up on providers that took a call and then fell silent, so that the next one is tried: the engine itself waits for an
 * answer as long as people let a phone ring. One that rings, or lets something be heard, is at work.
 */
export function createSilentProviders({ ami, clock, waiting }: SilentProviderParts) {
  /**
   * Channels to providers, and until when each may be silent. A leg does not tell: all attempts on a member of a queue that it
   * did not answer are one leg (contract 29.1.4), and each is a channel of its own.
   */
  let patience = new Map<string, number>();
  let isLooking = false;

  async function look(): Promise<void> {
    const channels = waiting().flatMap(({ toProvider, destination }) =>
      toProvider !== '' && destination.channel !== '' ? destination.channel : [],
    );
    const now = clock.now();
    patience = new Map(channels.map((channel) => [channel, patience.get(channel) ?? now + SILENT_MS]));
    for (const [Channel, until] of patience) {
      if (now < until) continue;
      const [status] = await ami.list('Status', { Channel, Variables: SOUND });
      if (!status) continue;
      const { ChannelState = '', Variable = '' } = status;
      // An address, which is not there or all zeros before a provider said where sound goes.
      const hasSound = /=.*[1-9a-f].*:[1-9]\d*$/i.test(Variable);
      if (RINGING_OR_UP.has(ChannelState) || hasSound) patience.set(Channel, Number.POSITIVE_INFINITY);
      else await ami.action('Hangup', { Channel, Cause: CAUSE });
    }
  }

  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // Refused: it is over by now. Away: the next look comes soon.
    void look()
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_MS);
  timer.unref();
  return { close: (): void => clearInterval(timer) };
}
