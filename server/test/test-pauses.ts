import { expect } from 'vitest';
import { eventually } from './eventually.ts';

/** Replaces the service's intended pauses: they end at once or, while held, once the test's clock reaches their end. */
export function createTestPauses(now: () => number) {
  const under = new Set<{ end: number; wake(): void }>();
  let held = false;
  let asked: number[] = [];

  return {
    /** From now on pauses last until `advance`. */
    hold(): void {
      held = true;
    },
    /** Lengths in seconds of the pauses requested since the last look, in order. */
    look(): number[] {
      const seen = asked;
      asked = [];
      return seen;
    },
    /** Resolves when exactly this many pauses are in progress. */
    underWay: (count: number): Promise<void> => eventually(() => expect(under.size).toBe(count)),

    async pause(ms: number, signal: AbortSignal): Promise<void> {
      asked.push(ms / 1000);
      if (!held) return;
      const over = Promise.withResolvers<void>();
      const entry = { end: now() + ms, wake: over.resolve };
      under.add(entry);
      signal.addEventListener('abort', () => over.reject(signal.reason));
      await over.promise.finally(() => under.delete(entry));
    },
    /** To be called when the clock has advanced. */
    tick(): void {
      for (const { end, wake } of under) if (end <= now()) wake();
    },
    /** Pauses end at once again. */
    release(): void {
      held = false;
      for (const { wake } of under) wake();
    },
  };
}
