import type { EndedLeg } from '../../../engine/events.ts';
import { wallText, wallTime } from '../../../lib/zoned-time.ts';
import { LegsRefused, type NewLeg } from './leg-writer.ts';

const RETRY_MS = 1000;
const BATCH = 200;
/** About an hour of a busy exchange; beyond that the oldest are dropped. */
const KEPT = 100_000;

interface RecorderParts {
  readonly record: (leg: NewLeg) => Promise<void>;
  readonly timezone: string;
  /** Called once what was reported about these legs is in the database. */
  readonly onStored?: ((legIds: readonly string[], legs: readonly NewLeg[]) => void) | undefined;
  /** Called for a leg whose content the database refuses: it is set aside, so that the others are stored. */
  readonly onRefused: (leg: NewLeg, reason: string) => void;
  /** Called on the first failure of each outage, and for every leg that had to be given up. */
  readonly onError: (error: unknown) => void;
  readonly retryMs?: number;
}

/** Stores what the engine reports about ended legs. No leg is lost while the database is away for a while. */
export function createLegRecorder(parts: RecorderParts) {
  const { record, timezone, onStored, onRefused, onError, retryMs = RETRY_MS } = parts;
  let waiting: NewLeg[] = [];
  let isFailing = false;
  let isClosed = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      // In order: a recording is added to a leg that is there.
      const failures = await Promise.all(batch.map(failureOf));
      const taken = batch.filter((_, i) => !(failures[i] instanceof LegsRefused));
      for (const [i, error] of failures.entries())
        if (error instanceof LegsRefused) onRefused(batch[i] as NewLeg, error.message);
      const outage = failures.find((error) => error !== undefined && !(error instanceof LegsRefused));
      if (outage !== undefined) {
        // Retry all of them: writing a leg twice does no harm.
        waiting = [...taken, ...waiting];
        if (!isFailing) onError(outage);
        isFailing = true;
        if (!isClosed) timer = setTimeout(start, retryMs).unref();
        return;
      }
      isFailing = false;
      if (taken.length > 0)
        onStored?.(
          taken.map(({ UNIQUEID }) => UNIQUEID),
          taken,
        );
    }
  }

  const failureOf = (leg: NewLeg): Promise<unknown> =>
    record(leg).then(
      () => undefined,
      (error) => error,
    );

  function start(): void {
    timer = undefined;
    running ??= drain().finally(() => {
      running = undefined;
    });
  }

  function put(leg: NewLeg): void {
    if (waiting.length >= KEPT) {
      onError(new Error(`leg ${waiting[0]?.UNIQUEID} could not be stored and is given up`));
      waiting = waiting.slice(1);
    }
    waiting.push(leg);
    if (!timer) start();
  }

  return {
    legEnded: (leg: EndedLeg): void => put(rowOf(leg, timezone)),
    recordingFinished: (linkedId: string, legId: string, file: string): void =>
      put({ UNIQUEID: legId, linkedid: linkedId, recordingfile: file }),
    /** Tries once more to store what is left. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await running;
      start();
      await running;
    },
  };
}

const DIAL_STATUS = {
  ANSWERED: 'ANSWER',
  'NO ANSWER': 'NOANSWER',
  BUSY: 'BUSY',
  FAILED: 'CONGESTION',
  CHANUNAVAIL: 'CHANUNAVAIL',
} as const;

/** If nobody was dialled, the dial status holds the cause. */
const REFUSALS = {
  'no-common-codec': 'NO COMMON CODEC',
  'encryption-mismatch': 'SRTP MISMATCH',
} as const;

function rowOf(leg: EndedLeg, timezone: string): NewLeg {
  const when = (at: number | null) => (at === null ? '' : wallText(wallTime(at, timezone)));
  const seconds = (from: number | null) =>
    from === null ? 0 : Math.max(0, Math.floor((leg.endedAt - from) / 1000));
  return {
    UNIQUEID: leg.id,
    linkedid: leg.linkedId,
    start: when(leg.startedAt),
    answer: when(leg.answeredAt),
    endtime: when(leg.endedAt),
    duration: seconds(leg.startedAt),
    billsec: leg.isApplication ? 0 : seconds(leg.answeredAt),
    src_chan: leg.source.channel,
    src_num: leg.source.number,
    src_name: leg.source.name,
    dst_chan: leg.destination.channel,
    dst_num: leg.destination.number,
    dst_name: leg.destination.name,
    did: leg.did,
    disposition: leg.disposition,
    dialstatus: leg.cause ? REFUSALS[leg.cause] : (leg.dialStatus ?? DIAL_STATUS[leg.disposition]),
    appname: leg.application,
    from_account: leg.fromProvider,
    to_account: leg.toProvider,
    dtmf_digits: leg.dtmfDigits,
    transfer: leg.isTransfer ? 1 : 0,
    is_app: leg.isApplication ? '1' : '0',
    src_call_id: leg.sourceCallId,
    dst_call_id: leg.destinationCallId,
    work_completed: '1',
  };
}
