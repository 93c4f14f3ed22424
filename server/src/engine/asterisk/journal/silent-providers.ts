import type { Clock } from '../../../lib/clock.ts';
import type { Ami } from '../control/ami.ts';
import type { LegState } from './leg.ts';

/** A provider that sent "trying" and then nothing for this long will send nothing any more. */
const SILENT_MS = 12_000;
const LOOK_MS = 1000;
const RINGING_OR_UP = new Set(['5', '6']);
/** Congestion, so that the next provider is tried. */
const CAUSE = '34';
const SOUND = 'CHANNEL(rtp,dest)';

interface SilentProviderParts {
  readonly ami: Pick<Ami, 'action' | 'list'>;
  readonly clock: Clock;
  /** Legs that are not answered yet. */
  readonly waiting: () => readonly LegState[];
}

/**
 * Hangs up on providers that took a call and then fell silent, so that the next one is tried: the engine itself would
 * wait as long as for people who let a phone ring. A provider that rings or sends sound is working.
 */
export function createSilentProviders({ ami, clock, waiting }: SilentProviderParts) {
  /**
   * Channels to providers, and until when each may be silent. Not by leg: all attempts on a member of a queue that it
   * did not answer are one leg (contract 29.1.4), and each has a channel of its own.
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
      // An address; absent or all zeros until the provider has said where sound goes.
      const hasSound = /=.*[1-9a-f].*:[1-9]\d*$/i.test(Variable);
      if (RINGING_OR_UP.has(ChannelState) || hasSound) patience.set(Channel, Number.POSITIVE_INFINITY);
      else await ami.action('Hangup', { Channel, Cause: CAUSE });
    }
  }

  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // Refused: the call is over by now. Away: the next look comes soon.
    void look()
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_MS);
  timer.unref();
  return { close: (): void => clearInterval(timer) };
}
