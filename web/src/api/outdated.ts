import type { QueryClient } from '@tanstack/react-query';

/** Events may come by the hundred: outdated data are refetched at most once a second. */
const PAUSE_MS = 1000;

const waiting = new Map<string, readonly string[]>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** The first one after a quiet time is refetched at once. */
export function noteOutdated(cache: QueryClient, ...keys: (readonly string[])[]): void {
  for (const key of keys) waiting.set(key.join(' '), key);
  if (timer === undefined) askAgain(cache);
}

/** Data written during a fetch will be overwritten by its answer, which may be older. */
export function noteWritten(cache: QueryClient, key: readonly string[]): void {
  if (cache.isFetching({ queryKey: key })) noteOutdated(cache, key);
}

function askAgain(cache: QueryClient): void {
  timer = undefined;
  if (waiting.size === 0) return;
  timer = setTimeout(() => askAgain(cache), PAUSE_MS);
  for (const [name, queryKey] of [...waiting]) {
    // A running fetch may finish: restarted with every event, a slow one would never be answered.
    if (cache.isFetching({ queryKey })) continue;
    waiting.delete(name);
    void cache.invalidateQueries({ queryKey });
  }
}
