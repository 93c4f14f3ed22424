import type { QueryClient } from '@tanstack/react-query';

/** Events may come by the hundred: what they say to be old is asked for at most once a second. */
const PAUSE_MS = 1000;

const waiting = new Map<string, readonly string[]>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** The first of a quiet time is asked for at once. */
export function noteOutdated(cache: QueryClient, ...keys: (readonly string[])[]): void {
  for (const key of keys) waiting.set(key.join(' '), key);
  if (timer === undefined) askAgain(cache);
}

/** What is written while an answer is under way will be overwritten by it, and that may have been made before. */
export function noteWritten(cache: QueryClient, key: readonly string[]): void {
  if (cache.isFetching({ queryKey: key })) noteOutdated(cache, key);
}

function askAgain(cache: QueryClient): void {
  timer = undefined;
  if (waiting.size === 0) return;
  timer = setTimeout(() => askAgain(cache), PAUSE_MS);
  for (const [name, queryKey] of [...waiting]) {
    // A question under way is let go on: begun anew with every event, a slow one would never be answered.
    if (cache.isFetching({ queryKey })) continue;
    waiting.delete(name);
    void cache.invalidateQueries({ queryKey });
  }
}
