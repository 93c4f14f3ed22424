import { setTimeout } from 'node:timers/promises';

/** Time is passed in, so that a test can control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/**
 * Runs evenly, however the machine's clock is set; for measuring durations (ADR 28). It starts at the time of that
 * clock, but its times mean nothing outside this process.
 */
export const systemSteadyClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
};

/** A smaller difference may be the delay between reading both clocks, or a leap second. */
const LEAST_STEP_MS = 1500;

/** Notices that the machine's clock was set, or that the machine slept, as the two clocks diverge then. */
export function createStepWatch({ clock, steady }: { clock: Clock; steady: Clock }) {
  const difference = () => clock.now() - steady.now();
  let known = difference();

  return {
    /** Whether it was set since this last returned true. */
    stepped(): boolean {
      const now = difference();
      if (Math.abs(now - known) < LEAST_STEP_MS) return false;
      known = now;
      return true;
    },
  };
}

/** Waits; rejects as soon as the signal aborts. Passed in, so that a test need not wait. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export const systemPause: Pause = (ms, signal) => setTimeout(ms, undefined, { signal });
