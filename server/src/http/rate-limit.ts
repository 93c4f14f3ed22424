import type { Clock } from '../lib/clock.ts';
import { TooManyRequests } from '../lib/errors.ts';

const WINDOW_MS = 60_000;
/** More callers than this within a minute share the oldest ones' places: memory stays bounded under a flood. */
const MAX_CALLERS = 50_000;

interface Window {
  began: number;
  count: number;
}

/** So many requests a minute for each name; 0 = no limit. Kept per node: it protects this process. */
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

    /** Throws as `spend` would, and counts nothing. */
    check(name: string): void {
      const now = clock.now();
      const window = windows.get(name);
      if (perMinute === 0 || !window || now - window.began >= WINDOW_MS) return;
      if (window.count >= perMinute) throw refusal(window, now);
    },
  };
}

export type RateLimit = ReturnType<typeof createRateLimit>;
