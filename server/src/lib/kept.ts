import type { Clock } from './clock.ts';

/**
 * Caches a value that is expensive to find: callers share the work while it is being found, and the value for `ms`
 * afterwards. A failure rejects for those who waited and is not cached.
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
