import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import { EngineAway } from '../../../lib/errors.ts';
import type { Ami } from '../control/ami.ts';
import { SOURCES } from './refusal-line.ts';

/** The debug level at which the engine's source files log what we read. */
const LEVEL = 3;
/** Watching costs the engine a fifteenth more per call, so it pauses while more calls than this begin in a second. */
const BUSY_CALLS = 10;
/** How long the engine must not be busy before watching resumes. */
const CALM_MS = 60_000;
const CHECK_MS = 5000;
/** How long to log more after a refusal, so that the next attempt has the number. This is a third more per call. */
const DETAIL_MS = 120_000;
const CLOSE_MS = 1000;

interface WatchOptions {
  readonly ami: Pick<Ami, 'command'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Makes the engine log which offers of voice it gets, as long as it is not busy. */
export function createRefusalWatch({ ami, clock, onError }: WatchOptions) {
  const levels = new Map<string, number>();
  let isThere = false;
  let isClosed = false;
  let second = { of: 0, calls: 0 };
  let busyAt = 0;
  let refusedAt = 0;
  let last: Promise<void> = Promise.resolve();

  async function set(source: string, level: number): Promise<void> {
    if (!isThere || levels.get(source) === level) return;
    await ami.command(`core set debug ${level} ${source}`);
    levels.set(source, level);
  }

  /** Absolute, so that a clock that was set back makes nothing last longer. */
  const isWithin = (ms: number, at: number) => Math.abs(clock.now() - at) < ms;

  function adjust(): void {
    if (isClosed) return;
    const isCalm = !isWithin(CALM_MS, busyAt);
    const wanted = { [SOURCES.offers]: isCalm, [SOURCES.sessions]: isCalm && isWithin(DETAIL_MS, refusedAt) };
    for (const [source, isOn] of Object.entries(wanted))
      last = last
        .then(() => set(source, isOn ? LEVEL : 0))
        .catch((error) => {
          if (!(error instanceof EngineAway)) onError(error);
        });
  }

  const timer = setInterval(adjust, CHECK_MS);
  timer.unref();

  return {
    /** The engine is up, maybe another one than before, or with other debug levels. */
    begin(): Promise<void> {
      isThere = true;
      levels.clear();
      adjust();
      return last;
    },
    engineLost(): void {
      isThere = false;
    },
    /**
     * Counts refused calls without a record, too: a phone that never stops trying pauses the watch as well. They count
     * when they are read, as the engine may have another clock; what is read while there is no engine, or before
     * watching begins, is from an earlier time.
     */
    callBegan(): void {
      if (!isThere) return;
      const of = Math.floor(clock.now() / 1000);
      if (second.of !== of) second = { of, calls: 0 };
      second.calls++;
      if (second.calls <= BUSY_CALLS) return;
      const wasBusy = isWithin(CALM_MS, busyAt);
      busyAt = clock.now();
      if (!wasBusy) adjust();
    },
    /** Somebody was refused, and will try again. */
    detail(): void {
      const isOn = isWithin(DETAIL_MS, refusedAt);
      refusedAt = clock.now();
      if (!isOn) adjust();
    },
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(timer);
      // The engine may run on, and nobody would read what it logs. One that does not answer must not delay us.
      const quiet = last.then(() => Promise.allSettled([set(SOURCES.offers, 0), set(SOURCES.sessions, 0)]));
      const enough = new AbortController();
      const patience = setTimeout(CLOSE_MS, undefined, { signal: enough.signal, ref: false });
      await Promise.race([quiet, patience.catch(() => {})]);
      enough.abort();
    },
  };
}
