import { StoreUnavailable } from '../../lib/errors.ts';
import type { TtlEntries } from './ttl-entries.ts';
import type { TtlJournal } from './ttl-journal.ts';

/** With the flush itself well under half a second, a killed process loses less than the last second. */
const flushEveryMs = 500;
const retryAfterMs = 700;
/** Handing a batch to the writing thread costs ours a few microseconds a key. */
const keysPerFlush = 5000;

export interface WriteBehind {
  /** Something in memory is not on disk yet. */
  changed(): void;
  /** Throws while the disk refuses our writes. */
  assertWritable(): void;
  /** Writes what is left; rejects when the disk does not take it. */
  close(): Promise<void>;
}

/** Carries changes from memory to the file, in the background. Nothing leaves memory when the file refuses it. */
export function createWriteBehind({
  entries,
  journal,
  onError,
}: {
  entries: Pick<TtlEntries, 'takeChanges'>;
  journal: Pick<TtlJournal, 'write'>;
  onError: (error: Error) => void;
}): WriteBehind {
  let outage: StoreUnavailable | undefined;
  let timer: NodeJS.Timeout | undefined;
  let flushing = Promise.resolve();
  let closed = false;

  function plan(delayMs: number): void {
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      flushing = flushing.then(flush).catch(retryLater);
    }, delayMs);
  }

  async function flush(): Promise<void> {
    for (let last = false; !last; ) {
      const pending = entries.takeChanges(keysPerFlush);
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

  function retryLater(error: unknown): void {
    const first = outage === undefined;
    outage = new StoreUnavailable('expiring keys cannot be written to disk', error);
    if (first) onError(outage);
    plan(retryAfterMs);
  }

  return {
    changed: () => plan(flushEveryMs),
    assertWritable() {
      if (outage) throw outage;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await flushing;
      await flush().catch((error) => {
        throw new StoreUnavailable('expiring keys could not be written to disk before the end', error);
      });
    },
  };
}
