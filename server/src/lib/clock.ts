import { setTimeout } from 'node:timers/promises';

/** Time is passed in, so that a test can hold it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Lets time pass; rejects as soon as the signal aborts. Passed in, so that a test need not wait. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export const systemPause: Pause = (ms, signal) => setTimeout(ms, undefined, { signal });
