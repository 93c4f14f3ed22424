import type { EventCount } from './ttl-store.ts';

/** More than any limit asks for; a flood from one source must not grow our memory. */
export const eventsKept = 1000;

export interface EventCounters {
  record(key: string, windowMs: number, now: number): EventCount;
  count(key: string, windowMs: number, now: number): EventCount;
  remaining(key: string, now: number): number | undefined;
  delete(key: string, now: number): boolean;
  purge(now: number): void;
}

/** Sliding windows kept in memory only: they live for minutes, and a restart may forgive a few failed logins. */
export function createEventCounters(): EventCounters {
  const counters = new Map<string, { times: number[]; expiresAt: number }>();

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
      return within(times, windowMs, now);
    },
    count: (key, windowMs, now) => within(counters.get(key)?.times ?? [], windowMs, now),
    remaining(key, now) {
      const counter = counters.get(key);
      return counter && counter.expiresAt > now ? counter.expiresAt - now : undefined;
    },
    delete(key, now) {
      const counter = counters.get(key);
      return counters.delete(key) && counter !== undefined && counter.expiresAt > now;
    },
    purge(now) {
      for (const [key, counter] of counters) if (counter.expiresAt <= now) counters.delete(key);
    },
  };
}
