import { StoreUnavailable } from '../../lib/errors.ts';
import type { JournalBatch, TtlJournal } from './ttl-journal.ts';

/** What nobody waits for is on disk after this and the time of a write. */
const flushEveryMs = 500;
const retryAfterMs = 700;
/** Handing a batch to the writing thread costs ours a few microseconds a key. */
const keysPerBatch = 5000;

/** One batch on its way to the file: `keep` when it is there, `undo` when it is not. */
export interface PendingBatch {
  readonly batch: JournalBatch;
  readonly last: boolean;
  keep(): void;
  undo(): void;
}

/** Something in memory that is to be on disk. */
export interface Persisted {
  /** What has changed since it was last taken, at most `limit` keys of it. */
  takeChanges(limit: number): PendingBatch | undefined;
}

interface DiskWriter {
  /** Something in memory is not on disk yet, and nobody waits for it. */
  changed(): void;
  /** Resolves when all changes of entries made so far would survive the end of this process, however it comes. */
  commit(): Promise<void>;
  /** Throws while the disk refuses our writes. */
  assertWritable(): void;
  /** Writes what is left; rejects when the disk does not take it. */
  close(): Promise<void>;
}

/**
 * Carries changes from memory to the file, one transaction at a time: all that is changed during one is the next one.
 * Nothing leaves memory when the file refuses it. Counters are written only in passing, since nobody is told of them.
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
  /** The writes under way and planned, one after the other; never rejects. */
  let writing = Promise.resolve();
  /** The commit that has not begun yet; all who come before it begins share it. */
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
