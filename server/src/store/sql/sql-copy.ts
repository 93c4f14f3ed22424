import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../lib/clock.ts';

const INTERVAL_MS = 2000;
const MAX_AGE_MS = 3000;

/**
 * An in-memory copy of a small query result that other tools may change in the database. It reads again by itself, so
 * that it has a foreign change within five seconds even without a caller (contract 11).
 */
export interface SqlCopy<T> {
  /** The last value read successfully, however old. */
  current(): T;
  /**
   * A value at most three seconds old, or with `revision` one that includes everything committed before this call;
   * rejects when it has to be read but cannot be.
   */
  fresh(): Promise<T>;
  /** A value read after this call, for use after a write of our own. */
  reload(): Promise<T>;
  /** Calls the listener when a read gives a different value than the one before. */
  onChange(listener: ChangeListener<T>): void;
  /** Resolves when the read under way has ended. */
  close(): Promise<void>;
}

type ChangeListener<T> = (next: T, previous: T) => void;

interface SqlCopyOptions<T> {
  load: () => Promise<T>;
  clock: Clock;
  /** Called for the first failure of each outage. */
  onError: (error: unknown) => void;
  /** Resolves to a different number once something that `load` reads was committed. */
  revision?: () => Promise<number>;
}

/** Reads once before it resolves, so `current` always has a value. */
export async function createSqlCopy<T>(options: SqlCopyOptions<T>): Promise<SqlCopy<T>> {
  const { load, clock, onError, revision } = options;
  const listeners: ChangeListener<T>[] = [];
  let startedAt = clock.now();
  // Always read before the rows, so that a concurrent write is read again next time, never missed.
  let revisionRead = revision && (await revision());
  let value = await load();
  /** The age of a value counts from the start of its read. */
  let readAt = startedAt;
  let failing = false;
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  const isYoung = (since: number) => {
    const age = clock.now() - since;
    return age >= 0 && age < MAX_AGE_MS;
  };

  const read = async (): Promise<T> => {
    startedAt = clock.now();
    try {
      const previous = value;
      const revisionNow = revision && (await revision());
      value = await load();
      revisionRead = revisionNow;
      readAt = startedAt;
      failing = false;
      if (!isDeepStrictEqual(value, previous)) for (const listener of listeners) listener(value, previous);
      return value;
    } catch (error) {
      if (!failing) onError(error);
      failing = true;
      throw error;
    }
  };

  const start = () => {
    running = read().finally(() => {
      running = undefined;
    });
    return running;
  };

  /** Reads never overlap. A call during a read waits for a second read, which starts after the call. */
  const reload = (): Promise<T> => {
    if (!running) return start();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return running ?? start();
      });
    return next;
  };

  /** Compares for equality, not "at least": after a failover the database may have gone back. */
  const holding = async (wanted: number | undefined): Promise<T> => {
    if (running && revisionRead !== wanted) await running.catch(() => {});
    return revisionRead === wanted ? value : reload();
  };

  const timer = setInterval(() => {
    if (!running) start().catch(() => {}); // reported through onError
  }, INTERVAL_MS);
  timer.unref();

  return {
    current: () => value,
    async fresh() {
      if (revision) return holding(await revision());
      if (isYoung(readAt)) return value;
      return running && isYoung(startedAt) ? running : reload();
    },
    reload,
    onChange: (listener) => {
      listeners.push(listener);
    },
    async close() {
      clearInterval(timer);
      listeners.length = 0;
      await (next ?? running)?.catch(() => {}); // the caller of that read gets the error
    },
  };
}
