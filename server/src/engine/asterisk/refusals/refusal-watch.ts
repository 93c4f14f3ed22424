import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import { EngineAway } from '../../../lib/errors.ts';
import type { Ami } from '../control/ami.ts';
import { SOURCES } from './refusal-line.ts';

/** The level at which the engine's source files say what is read. */
const LEVEL = 3;
/** To look costs the engine a fifteenth more per call, so one that begins more calls than this in a second is spared it. */
const BUSY_CALLS = 10;
/** So long it has not been busy before it is looked at again. */
const CALM_MS = 60_000;
const CHECK_MS = 5000;
/** After a refusal, so that the next attempt is told with the number. This is a third more per call. */
const DETAIL_MS = 120_000;
const CLOSE_MS = 1000;

interface WatchOptions {
  readonly ami: Pick<Ami, 'command'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Has the engine say which offers of voice it got, whenever it has the time for it. */
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

  /** A clock that was set back makes nothing last longer. */
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
    /** The engine is there, maybe another one than before, or one that was told something else. */
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
     * Also one that was refused and has no record: a phone that does not stop to try is not looked at either.
     * It counts when it is heard of, as the engine may have another clock; what is read while there is no engine, or
     * before it is asked for anything, is of an earlier time.
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
      // It may run on, and nobody would read what it says. One that does not answer holds nobody up.
      const quiet = last.then(() => Promise.allSettled([set(SOURCES.offers, 0), set(SOURCES.sessions, 0)]));
      const enough = new AbortController();
      const patience = setTimeout(CLOSE_MS, undefined, { signal: enough.signal, ref: false });
      await Promise.race([quiet, patience.catch(() => {})]);
      enough.abort();
    },
  };
}
