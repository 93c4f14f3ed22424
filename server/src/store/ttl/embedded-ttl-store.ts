import { type Clock, createStepWatch } from '../../lib/clock.ts';
import { StoreUnavailable } from '../../lib/errors.ts';
import { createDiskWriter } from './disk-writer.ts';
import { createEventCounters } from './event-counters.ts';
import { wholeLifetime } from './lifetime.ts';
import { createTtlEntries } from './ttl-entries.ts';
import { openTtlJournal } from './ttl-journal.ts';
import type { MirrorListener, TtlStore } from './ttl-store.ts';
import { createWallJournal } from './wall-journal.ts';

const purgeEveryMs = 10_000;

interface EmbeddedTtlStoreOptions {
  /** A SQLite file only for this store and one process at a time. */
  readonly file: string;
  /** The machine's clock, for the file; lifetimes are measured by the steady one (contract 17.19). */
  readonly clock: Clock;
  readonly steady: Clock;
  /** Called once per outage of the disk. */
  readonly onError: (error: Error) => void;
}

/**
 * Reads are answered from memory; a thread writes changes to the file. A write is answered, and reported to mirrors,
 * once it is in the file and so survives any end of this process (contract 17.18). Only counted events and renewed
 * lifetimes are written half a second later. While the disk refuses our writes, reads go on and every write is refused,
 * since it would not survive this process.
 */
export async function createEmbeddedTtlStore({
  file,
  clock,
  steady,
  onError,
}: EmbeddedTtlStoreOptions): Promise<TtlStore> {
  const mirrors = new Map<string, MirrorListener | undefined>();
  const counters = createEventCounters();
  const entries = createTtlEntries({ clock: steady, onCommit: tellMirrors });
  const stepWatch = createStepWatch({ clock, steady });
  const journal = createWallJournal(await openTtlJournal({ file }), { clock, steady });
  try {
    await journal.load((page) => {
      entries.load(page);
      counters.load(page.counters);
    });
    entries.endLoad();
  } catch (error) {
    await journal.close();
    throw new StoreUnavailable(`the file of expiring keys ${file} cannot be read`, error);
  }
  const disk = createDiskWriter({
    entries,
    counters,
    journal: {
      write(batch) {
        rewriteAfterStep();
        return journal.write(batch);
      },
    },
    onError,
  });
  let closing: Promise<void> | undefined;

  const purging = setInterval(() => {
    entries.purge();
    counters.purge(steady.now());
    rewriteAfterStep();
    disk.changed();
  }, purgeEveryMs);
  purging.unref();

  /**
   * The file stores ends by the machine's clock, so a step of that clock changes all of them. Checked at every write
   * too, or ends written between a step and the step back would never be corrected.
   */
  function rewriteAfterStep(): void {
    if (!stepWatch.stepped()) return;
    entries.rewriteAll();
    counters.rewriteAll();
    disk.changed();
  }

  function tellMirrors(key: string, expiresAt: number | undefined): void {
    for (const [prefix, listener] of mirrors) {
      if (listener && key.startsWith(prefix)) tell(listener, key, expiresAt);
    }
  }

  function tell(listener: MirrorListener, key: string, expiresAt: number | undefined): void {
    try {
      listener(key, expiresAt);
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function assertOpen(): void {
    if (closing) throw new StoreUnavailable('the store of expiring keys is closed');
  }

  function assertWritable(): void {
    assertOpen();
    disk.assertWritable();
  }

  function endOf(ttlMs: number | undefined): number {
    const lifetime = wholeLifetime(ttlMs);
    return lifetime === undefined ? Number.POSITIVE_INFINITY : steady.now() + lifetime;
  }

  return {
    kind: 'embedded',

    async set(key, value, ttlMs) {
      assertWritable();
      entries.putValue(key, value, endOf(ttlMs));
      await disk.commit();
    },
    async remaining(key) {
      assertOpen();
      const expiresAt = entries.expiresAt(key);
      return expiresAt === undefined ? counters.remaining(key, steady.now()) : expiresAt - steady.now();
    },
    async delete(keys) {
      assertWritable();
      const existed = keys.filter((key) => {
        const counted = counters.delete(key, steady.now());
        return entries.delete(key) || counted;
      });
      disk.changed();
      // Also when none existed: another caller's deletion of them may not be on disk yet.
      await disk.commit();
      return existed;
    },

    // Counters need no disk, so they continue during an outage of it.
    async record(key, windowMs) {
      assertOpen();
      disk.changed();
      return counters.record(key, windowMs, steady.now());
    },
    async count(key, windowMs) {
      assertOpen();
      return counters.count(key, windowMs, steady.now());
    },

    async readMark(key, renewTtlMs) {
      assertOpen();
      const found = entries.document(key);
      if (!found) return undefined;
      if (renewTtlMs !== undefined) {
        entries.renew(key, endOf(renewTtlMs));
        disk.changed();
      }
      const { body: _, ...mark } = found;
      return mark;
    },
    async readDocument(key) {
      assertOpen();
      return entries.document(key);
    },
    async writeDocument(key, { order, bodyId, note, body, ttlMs, after }) {
      assertWritable();
      const stored = entries.document(key);
      if (after !== undefined && (stored?.order ?? 0) !== after) return 'changed';
      if (stored && stored.order > order) return 'older';
      const bytes = body ?? (stored?.bodyId === bodyId ? stored.body : undefined);
      if (!bytes) return 'body-needed';
      const end = (ttlMs === undefined ? entries.expiresAt(key) : undefined) ?? endOf(ttlMs);
      entries.putDocument(key, { order, bodyId, note: note ?? stored?.note ?? '' }, bytes, end);
      if (after === undefined && entries.committedBodyId(key) === bodyId) disk.changed();
      else await disk.commit();
      return 'written';
    },

    mirror(prefix) {
      if (!mirrors.has(prefix)) mirrors.set(prefix, undefined);
      return {
        // A write is reported before it is answered, so there is nothing to wait for.
        async settle() {
          assertOpen();
        },
        listen(listener) {
          mirrors.set(prefix, listener);
          for (const [key, expiresAt] of entries.committed()) {
            if (key.startsWith(prefix)) tell(listener, key, expiresAt);
          }
        },
      };
    },

    async ping() {
      assertWritable();
    },
    close() {
      closing ??= (async () => {
        clearInterval(purging);
        rewriteAfterStep();
        try {
          await disk.close();
        } finally {
          await journal.close();
        }
      })();
      return closing;
    },
  };
}
