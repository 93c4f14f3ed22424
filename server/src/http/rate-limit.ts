import type { Clock } from '../lib/clock.ts';
import { TooManyRequests } from '../lib/errors.ts';

const WINDOW_MS = 60_000;
/** Beyond this number of callers within a minute the oldest are forgotten, so that a flood cannot fill the memory. */
const MAX_CALLERS = 50_000;

interface Window {
  began: number;
  count: number;
}

/** Limits the requests per minute of each name; 0 = no limit. Counted per node, as it protects this process. */
export function createRateLimit({ perMinute, clock }: { perMinute: number; clock: Clock }) {
  const windows = new Map<string, Window>();

  const refusal = ({ began }: Window, now: number) =>
    new TooManyRequests(`more than ${perMinute} requests per minute`, (began + WINDOW_MS - now) / 1000);

  return {
    /** Counts one request of `name`; throws when it is one too many. */
    spend(name: string): void {
      if (perMinute === 0) return;
      const now = clock.now();
      let window = windows.get(name);
      if (!window || now - window.began >= WINDOW_MS) {
        windows.delete(name);
        if (windows.size >= MAX_CALLERS) windows.delete(windows.keys().next().value as string);
        window = { began: now, count: 0 };
        windows.set(name, window);
      }
      window.count++;
      if (window.count > perMinute) throw refusal(window, now);
    },

    /** Throws when the next `spend` would, without counting anything. */
    check(name: string): void {
      const now = clock.now();
      const window = windows.get(name);
      if (perMinute === 0 || !window || now - window.began >= WINDOW_MS) return;
      if (window.count >= perMinute) throw refusal(window, now);
    },
  };
}

export type RateLimit = ReturnType<typeof createRateLimit>;
