import type { Persisted } from './disk-writer.ts';
import type { JournalCounter } from './ttl-journal.ts';
import type { EventCount } from './ttl-store.ts';

/** More than any limit needs; a flood from one source must not fill the memory. */
export const eventsKept = 1000;

interface EventCounters extends Persisted {
  record(key: string, windowMs: number, now: number): EventCount;
  count(key: string, windowMs: number, now: number): EventCount;
  remaining(key: string, now: number): number | undefined;
  delete(key: string, now: number): boolean;
  purge(now: number): void;
  /** Marks every counter to be written again. */
  rewriteAll(): void;
  load(counters: readonly JournalCounter[]): void;
}

/** Sliding windows, and which of them are not in the file yet. */
export function createEventCounters(): EventCounters {
  const counters = new Map<string, { times: readonly number[]; expiresAt: number }>();
  let changed = new Set<string>();

  function drop(key: string): boolean {
    changed.add(key);
    return counters.delete(key);
  }

  function within(times: readonly number[], windowMs: number, now: number): EventCount {
    const counted = times.filter((time) => time > now - windowMs);
    const oldest = counted[0];
    return { count: counted.length, retryAfterMs: oldest === undefined ? 0 : oldest + windowMs - now };
  }

  return {
    record(key, windowMs, now) {
      const times = (counters.get(key)?.times ?? []).filter((time) => time > now - windowMs);
      times.push(now);
      if (times.length > eventsKept) times.shift();
      counters.set(key, { times, expiresAt: now + windowMs });
      changed.add(key);
      return within(times, windowMs, now);
    },
    count: (key, windowMs, now) => within(counters.get(key)?.times ?? [], windowMs, now),
    remaining(key, now) {
      const counter = counters.get(key);
      return counter && counter.expiresAt > now ? counter.expiresAt - now : undefined;
    },
    delete(key, now) {
      const counter = counters.get(key);
      return counter !== undefined && drop(key) && counter.expiresAt > now;
    },
    purge(now) {
      for (const [key, counter] of counters) if (counter.expiresAt <= now) drop(key);
    },
    rewriteAll() {
      changed = new Set([...changed, ...counters.keys()]);
    },
    load(stored) {
      for (const { key, times, expiresAt } of stored) counters.set(key, { times, expiresAt });
    },
    takeChanges(limit) {
      if (changed.size === 0) return undefined;
      const keys = [...changed].slice(0, limit);
      for (const key of keys) changed.delete(key);
      return {
        batch: {
          counters: keys.map((key) => ({ key, ...(counters.get(key) ?? { times: [], expiresAt: 0 }) })),
        },
        last: changed.size === 0,
        keep() {},
        undo() {
          changed = new Set([...keys, ...changed]);
        },
      };
    },
  };
}
