import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import { wallText, wallTime } from '../../../lib/zoned-time.ts';
import type { Ami } from '../control/ami.ts';
import type { Site } from '../site.ts';
import type { LegState } from './leg.ts';
import type { JoinedTalk, OpenRecording } from './legs-state.ts';

/** What happened longer ago is read from the journal, and nobody can be recorded in the past. */
const NOW_MS = 5000;
/** So long a recording that was stopped may take to let go of its channel. */
const SETTLE_MS = 200;

interface JoinedRecordingParts {
  readonly ami: Pick<Ami, 'action'>;
  readonly clock: Clock;
  readonly site: Pick<Site, 'recordingsDir' | 'timezone'>;
  /** Whether what this number says is recorded. */
  readonly isRecorded: (number: string) => boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Makes what is recorded follow who talks when a third connected two (contract 3.2, 5.5): no dialplan runs then, so the
 * engine would go on with the recordings of the talks before. The answer has no file when nobody is to be recorded.
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
    // A recording that begins on a channel while another one ends there may hear one side only.
    const begun = [destination, source].find((party) => !stopped.includes(party)) ?? destination;
    void change(
      stopped.map(({ channel }) => channel),
      begun.channel,
      file,
    ).catch(onError);
    return { channelId: begun.channelId, legId, linkedId, file };
  };

  /**
   * Whoever answers, and whatever comes after, has to do with who waits now (contract 27.16); inner channels of a queue are told,
   * also where what the queue knows of the stay is kept. Somebody has talked with him, so the routes he came over are done with.
   * Stays have numbers of their own; legs behind a phone that rings in vain get such that he had none of before.
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
