import type { Clock } from '../../../lib/clock.ts';
import type { ApiKeyStore, KeyUse } from './api-keys.store.ts';
import type { PollIntervals } from './poll-intervals.ts';
import { usageText } from './usage-report.ts';

/** Last use may lag a minute (contract 2.7); this is how often it is written. */
const FLUSH_MS = 15_000;

interface KeyUseParts {
  readonly store: ApiKeyStore;
  readonly clock: Clock;
  readonly intervals: PollIntervals;
  readonly onError: (error: unknown) => void;
}

/** Records when keys were used without a database write per poll: collected in memory, written periodically. */
export function createKeyUse({ store, clock, intervals, onError }: KeyUseParts) {
  let pending = new Map<number, KeyUse>();
  /** Being written to the database, one key after the other. */
  let writing = new Map<number, KeyUse>();
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();

  function note(id: number, use: KeyUse): void {
    pending.set(id, { ...pending.get(id), ...use });
  }

  /** Flushes run one after the other, so that `close` waits for the one under way too. */
  let last: Promise<void> = Promise.resolve();
  function flush(): Promise<void> {
    last = last.then(write);
    return last;
  }

  async function write(): Promise<void> {
    writing = pending;
    pending = new Map();
    for (const [id, use] of writing) {
      try {
        await store.noteUse(id, use);
        writing.delete(id);
      } catch (error) {
        // Kept for the next flush, unless newer values arrived meanwhile.
        for (const [left, itsUse] of writing) pending.set(left, { ...itsUse, ...pending.get(left) });
        writing = new Map();
        onError(error);
        return;
      }
    }
  }

  return {
    used: (id: number): void => note(id, { last_used_at: clock.now() }),

    polled(id: number, address: string, userAgent: string): void {
      intervals.polled(id);
      const measured = intervals.measured(id);
      note(id, {
        last_poll_at: clock.now(),
        last_poll_ip: address,
        user_agent: userAgent.slice(0, 255),
        ...(measured !== undefined && { poll_interval_ms: measured }),
      });
    },

    /** Written at once: a bouncer reports only every quarter of an hour. */
    reported: async (id: number, report: object): Promise<void> =>
      store.noteUse(id, {
        last_metrics_at: clock.now(),
        last_metrics: JSON.stringify(report),
        last_usage: usageText(report),
      }),

    /** Values of a key that are not written yet. */
    pendingOf: (id: number): KeyUse => ({ ...writing.get(id), ...pending.get(id) }),

    flush,

    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}

export type KeyUseLog = ReturnType<typeof createKeyUse>;
