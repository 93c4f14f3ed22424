import { StoreUnavailable } from '../../lib/errors.ts';
import type { JournalBatch, TtlJournal } from './ttl-journal.ts';

/** Changes without a waiting caller are on disk after this plus the time of a write. */
const flushEveryMs = 500;
const retryAfterMs = 700;
/** Passing a batch to the writing thread costs this thread a few microseconds per key. */
const keysPerBatch = 5000;

/** One batch on its way to the file: call `keep` when it is written, `undo` when the write failed. */
export interface PendingBatch {
  readonly batch: JournalBatch;
  readonly last: boolean;
  keep(): void;
  undo(): void;
}

/** Data in memory that is persisted to disk. */
export interface Persisted {
  /** The changes since the last call, at most `limit` keys. */
  takeChanges(limit: number): PendingBatch | undefined;
}

interface DiskWriter {
  /** Schedules a write of changes for which no caller waits. */
  changed(): void;
  /** Resolves when all changes of entries so far would survive any end of this process. */
  commit(): Promise<void>;
  /** Throws while the disk refuses our writes. */
  assertWritable(): void;
  /** Writes what is left; rejects when the disk refuses it. */
  close(): Promise<void>;
}

/**
 * Writes changes from memory to the file, one transaction at a time: all changes during one form the next. When a write
 * fails, the changes stay in memory. Counters are only written along, as no caller waits for them.
 */
export function createDiskWriter({
  entries,
  counters,
  journal,
  onError,
}: {
  entries: Persisted;
  counters: Persisted;
  journal: Pick<TtlJournal, 'write'>;
  onError: (error: Error) => void;
}): DiskWriter {
  let outage: StoreUnavailable | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** The chain of running and planned writes; never rejects. */
  let writing = Promise.resolve();
  /** The commit that has not started yet; all callers until its start share it. */
  let next: Promise<void> | undefined;
  let closed = false;

  function plan(delayMs: number): void {
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      enqueue(writeAll).catch(() => {});
    }, delayMs);
  }

  function enqueue(work: () => Promise<void>): Promise<void> {
    const done = writing.then(work).catch((error) => {
      throw noteOutage(error);
    });
    writing = done.catch(() => {});
    return done;
  }

  async function writeAll(): Promise<void> {
    await write(entries);
    await write(counters);
  }

  async function write(source: Persisted): Promise<void> {
    for (let last = false; !last; ) {
      const pending = source.takeChanges(keysPerBatch);
      if (!pending) return;
      try {
        await journal.write(pending.batch);
      } catch (error) {
        pending.undo();
        throw error;
      }
      pending.keep();
      outage = undefined;
      last = pending.last;
    }
  }

  function noteOutage(cause: unknown): StoreUnavailable {
    const first = outage === undefined;
    outage = new StoreUnavailable('expiring keys cannot be written to disk', cause);
    if (first) onError(outage);
    plan(retryAfterMs);
    return outage;
  }

  return {
    changed: () => plan(flushEveryMs),
    commit() {
      next ??= enqueue(() => {
        next = undefined;
        return write(entries);
      });
      return next;
    },
    assertWritable() {
      if (outage) throw outage;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await writing;
      await writeAll().catch((error) => {
        throw new StoreUnavailable('expiring keys could not be written to disk before the end', error);
      });
    },
  };
}
