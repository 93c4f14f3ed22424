import { setTimeout } from 'node:timers/promises';

/** Time is passed in, so that a test can hold it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/**
 * Goes on evenly, however the machine's clock is set: for how long something lasts (ADR 28). It began at the time of that
 * clock, but a time of it says nothing outside this process.
 */
export const systemSteadyClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
};

/** Less than this may be the way from one clock to the other, or a leap second. */
const LEAST_STEP_MS = 1500;

/** Notices that the machine's clock was set, or that the machine slept: the two clocks no longer go together. */
export function createStepWatch({ clock, steady }: { clock: Clock; steady: Clock }) {
  const difference = () => clock.now() - steady.now();
  let known = difference();

  return {
    /** Whether it was set since the last time that this was true. */
    stepped(): boolean {
      const now = difference();
      if (Math.abs(now - known) < LEAST_STEP_MS) return false;
      known = now;
      return true;
    },
  };
}

/** Lets time pass; rejects as soon as the signal aborts. Passed in, so that a test need not wait. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export const systemPause: Pause = (ms, signal) => setTimeout(ms, undefined, { signal });
