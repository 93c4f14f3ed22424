import type { Clock } from '../../lib/clock.ts';
import type { JournalBatch, JournalCounter, JournalEntry, JournalPage, TtlJournal } from './ttl-journal.ts';

/**
 * In memory all times are of the steady clock, which is meaningless after a restart. The file has times of the
 * machine's clock, converted at the moment of the write.
 */
export function createWallJournal(
  journal: TtlJournal,
  { clock, steady }: { clock: Clock; steady: Clock },
): TtlJournal {
  const difference = () => clock.now() - steady.now();
  return {
    load(onPage) {
      const behind = -difference();
      return journal.load((page) => {
        shiftInPlace(page, behind);
        onPage(page);
      });
    },
    write: (batch) => journal.write(shifted(batch, difference())),
    close: journal.close,
  };
}

/** In place, as a page has no other owner and copies of everything would increase the memory used at the start. */
function shiftInPlace({ entries, counters }: JournalPage, by: number): void {
  for (const entry of entries) Object.assign(entry, shiftedEnd(entry, by));
  for (const counter of counters) Object.assign(counter, shiftedCounter(counter, by));
}

function shifted({ entries, counters, ...rest }: JournalBatch, by: number): JournalBatch {
  return {
    ...rest,
    ...(entries && { entries: entries.map((entry) => ({ ...entry, ...shiftedEnd(entry, by) })) }),
    ...(counters && { counters: counters.map((counter) => shiftedCounter(counter, by)) }),
  };
}

const shiftedEnd = ({ expiresAt }: JournalEntry, by: number) => ({
  expiresAt: expiresAt === null ? null : expiresAt + by,
});

const shiftedCounter = ({ key, times, expiresAt }: JournalCounter, by: number): JournalCounter => ({
  key,
  times: times.map((time) => time + by),
  expiresAt: expiresAt + by,
});
