import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import { wallText, wallTime } from '../../../lib/zoned-time.ts';
import type { Ami } from '../control/ami.ts';
import type { Site } from '../site.ts';
import type { LegState } from './leg.ts';
import type { JoinedTalk, OpenRecording } from './legs-state.ts';

/** Older events were read late from the journal, and nobody can be recorded in the past. */
const NOW_MS = 5000;
/** How long a stopped recording may take to let go of its channel. */
const SETTLE_MS = 200;

interface JoinedRecordingParts {
  readonly ami: Pick<Ami, 'action'>;
  readonly clock: Clock;
  readonly site: Pick<Site, 'recordingsDir' | 'timezone'>;
  /** Whether this number's calls are recorded. */
  readonly isRecorded: (number: string) => boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Adapts recordings after an attended transfer to who talks now (contract 3.2, 5.5): no dialplan runs then, so the
 * engine would continue the recordings of the talks before. The result has no file if nobody is to be recorded.
 */
export function createJoinedRecordings({ ami, clock, site, isRecorded, onError }: JoinedRecordingParts) {
  return ({ leg, at, recorded, isWaiting = false }: JoinedTalk): OpenRecording | undefined => {
    if (Math.abs(clock.now() - at) > NOW_MS) return undefined;
    const { source, destination, id: legId, linkedId } = leg;
    const isWanted = !isWaiting && (isRecorded(source.number) || isRecorded(destination.number));
    const hour = wallText(wallTime(at, site.timezone)).slice(0, 13).replace(/[- ]/g, '/');
    const file = isWanted ? `${hour}/${legId}.wav` : '';
    if (isWaiting) void mark(leg, at).catch(onError);
    const stopped = [source, destination].filter(({ channelId }) => recorded.includes(channelId));
    // A recording that begins on a channel while another one ends there may record one side only.
    const begun = [destination, source].find((party) => !stopped.includes(party)) ?? destination;
    void change(
      stopped.map(({ channel }) => channel),
      begun.channel,
      file,
    ).catch(onError);
    return { channelId: begun.channelId, legId, linkedId, file };
  };

  /**
   * Whoever answers, and whatever comes after, now deals with the party that waits (contract 27.16); inner channels of
   * a queue also inherit where the queue keeps data on the stay. Somebody has talked with that party, so the routes it
   * came over are done with. Stays have numbers of their own; legs after a phone that rings in vain get new ones.
   */
  async function mark({ source, application = '' }: LegState, at: number): Promise<void> {
    const isMarked = isRecorded(source.number) ? '1' : '0';
    const variables = {
      PBX_ROUTES: '',
      PBX_DEADLINE: '',
      ...(application === 'queue' && { _PBX_RECORDED: isMarked, _PBX_CALLER: source.channel }),
      ...(application !== 'queue' && { PBX_RECORDED: isMarked }),
      ...(application === '' && { PBX_COUNT: String(1000 + (Math.floor(at / 1000) % 100_000)) }),
    };
    for (const [Variable, Value] of Object.entries(variables))
      await ami.action('Setvar', { Channel: source.channel, Variable, Value });
  }

  async function change(stopped: readonly string[], begun: string, file: string): Promise<void> {
    for (const Channel of stopped) await ami.action('StopMixMonitor', { Channel });
    if (file === '') return;
    if (stopped.includes(begun)) await sleep(SETTLE_MS);
    const File = join(site.recordingsDir, file);
    await ami.action('MixMonitor', { Channel: begun, File, options: 'bi(PBX_MIXMONITOR)' });
  }
}
