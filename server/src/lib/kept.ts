import type { Clock } from './clock.ts';

/**
 * A value that costs something to find out: all who ask while it is being found out share the work, and so do those who
 * ask within `ms` afterwards. A failure is told to those who waited, and not kept.
 */
export function createKept<T>(ms: number, steady: Clock, find: () => Promise<T>): () => Promise<T> {
  let kept: { readonly value: Promise<T>; until: number } | undefined;
  return () => {
    if (kept && steady.now() < kept.until) return kept.value;
    const mine = { value: find(), until: Number.POSITIVE_INFINITY };
    kept = mine;
    mine.value.then(
      () => {
        mine.until = steady.now() + ms;
      },
      () => {
        mine.until = 0;
      },
    );
    return mine.value;
  };
}
