import { Conflict } from '../../../lib/errors.ts';
import type { Occurrence } from '../../../lib/icalendar/expand.ts';
import { atOnce, inSlices, type Steps } from '../../../lib/in-slices.ts';
import { createOneAtATime } from '../../../lib/one-at-a-time.ts';
import {
  expandAlone,
  expandCalendar,
  type KnownCalendar,
  knownOf,
  type Ranges,
  type StoredCalendar,
} from './calendar-expansion.ts';
import {
  DAY_MS,
  DAYS_AHEAD,
  type ImportedCalendar,
  MAX_OCCURRENCES,
  readCalendarFile,
  unpack,
  windowAt,
} from './calendar-file.ts';

/** Limit for events and dates of all rules together: two files of the largest size. */
const MAX_SIZE = 20_000;
/** Today and other requested days. */
const DAYS_KEPT = 3;
/** An expansion this many days old still covers as far ahead as anybody looks. */
const STALE_DAYS = 29;

interface Import extends Pick<StoredCalendar, 'timezone'> {
  readonly text: string;
  readonly now: number;
  /** Calendars of the other rules, read when it is this import's turn. */
  readonly others: () => readonly StoredCalendar[];
  readonly store: (packed: string) => Promise<unknown>;
}

/**
 * Calendars as they are in force from a day on. Expanding them takes time: it is done in slices, for all rules once a
 * day, under one common limit (contract 26.9).
 */
export function createCalendars() {
  /** By packed calendar, then by zone. The text may be long, but finding the same string object does not read it. */
  let kept = new Map<string, Map<string, readonly KnownCalendar[]>>();
  let revision = 0;
  const inTurn = createOneAtATime();
  const importInTurn = createOneAtATime();

  const all = ({ packed, timezone }: StoredCalendar) => kept.get(packed)?.get(timezone) ?? [];

  function find(calendar: StoredCalendar, at: number): KnownCalendar | undefined {
    const { from } = windowAt(at, calendar.timezone);
    return all(calendar).find((known) => known.from === from);
  }

  function keep({ packed, timezone }: StoredCalendar, found: KnownCalendar): void {
    const zones = kept.get(packed) ?? new Map<string, readonly KnownCalendar[]>();
    kept.set(packed, zones);
    const others = (zones.get(timezone) ?? []).filter(({ from }) => from !== found.from);
    zones.set(timezone, [...others.slice(1 - DAYS_KEPT), found]);
    revision++;
  }

  /** Moves the requested day to the end, where it is kept longest. */
  function touch({ packed, timezone }: StoredCalendar, at: number): void {
    const { from } = windowAt(at, timezone);
    const days = all({ packed, timezone });
    if (days.at(-1)?.from === from) return;
    const [same, others] = [days.filter((one) => one.from === from), days.filter((one) => one.from !== from)];
    kept.get(packed)?.set(timezone, [...others, ...same]);
  }

  /** Forgets calendars that no rule has any more. */
  function keepOnly(stored: readonly StoredCalendar[]): void {
    const left: typeof kept = new Map();
    for (const calendar of stored) {
      const zones = left.get(calendar.packed) ?? new Map<string, readonly KnownCalendar[]>();
      left.set(calendar.packed, zones.set(calendar.timezone, all(calendar)));
    }
    kept = left;
  }

  function isReady(stored: readonly StoredCalendar[], at: number): boolean {
    const found = stored.map((calendar) => find(calendar, at));
    const [first] = found;
    return (
      found.every((known) => known && known.days === first?.days) && sum(found).occurrences <= MAX_OCCURRENCES
    );
  }

  /** There may be more occurrences now than on import: then all reach less far ahead, for the time being. */
  function* expandAll(stored: readonly StoredCalendar[], at: number): Steps<void> {
    for (let days = DAYS_AHEAD; days >= 1; days = Math.floor(days / 2))
      if (yield* expandFor(stored, at, days)) return;
  }

  function* expandFor(stored: readonly StoredCalendar[], at: number, days: number): Steps<boolean> {
    let left = MAX_OCCURRENCES;
    for (const calendar of stored) {
      const before = find(calendar, at);
      const isKnown = before?.days === days;
      const found = isKnown ? before : yield* expandCalendar(calendar, at, { days, most: left });
      const fits = found !== undefined && found.occurrences <= left;
      if (!fits && days > 1) return false;
      // Even one day has too many: this rule gets none, those before it keep theirs.
      const known = fits
        ? found
        : knownOf(calendar, at, { days, events: unpack(calendar.packed), found: [] });
      keep(calendar, known);
      left -= known.occurrences;
    }
    return true;
  }

  async function findOut(stored: readonly StoredCalendar[], at: number): Promise<void> {
    if (isReady(stored, at)) return;
    await inTurn(async () => {
      if (!isReady(stored, at)) await inSlices(expandAll(stored, at));
    });
  }

  async function refuseTooMuch(
    added: KnownCalendar,
    others: readonly StoredCalendar[],
    now: number,
  ): Promise<void> {
    await findOut(others, now);
    const theirs = sum(others.map((calendar) => find(calendar, now)));
    const refuse = (what: string, more: number) => {
      throw new Conflict(`the calendars of all rules have at most ${what}: ${more} are in other rules`);
    };
    if (theirs.size + added.size > MAX_SIZE) refuse(`${MAX_SIZE} events and dates`, theirs.size);
    if (theirs.occurrences + added.occurrences > MAX_OCCURRENCES)
      refuse(`${MAX_OCCURRENCES} occurrences in ${DAYS_AHEAD} days`, theirs.occurrences);
  }

  return {
    /** Expands the given calendars from a day on, and forgets all others. */
    async ready(stored: readonly StoredCalendar[], at: number): Promise<void> {
      keepOnly(stored);
      await findOut(stored, at);
      for (const calendar of stored) touch(calendar, at);
    },

    /** Changes whenever `rangesAt` may return something else. */
    revision: (): number => revision,

    /** For a calendar that is not ready, uses an expansion from a few days ago. */
    rangesAt(packed: string, timezone: string, at: number): Ranges {
      const calendar = { packed, timezone };
      const { from } = windowAt(at, timezone);
      const isStale = (known: KnownCalendar) => known.from < from && known.from + STALE_DAYS * DAY_MS > from;
      const found = find(calendar, at) ?? all(calendar).findLast(isStale);
      if (found) return found.ranges;
      const { known } = atOnce(expandAlone(calendar, at));
      keep(calendar, known);
      return known.ranges;
    },

    /** Occurrences from today on. */
    async occurrencesAt(packed: string, timezone: string, now: number): Promise<Occurrence[]> {
      const today = windowAt(now, timezone).from + DAY_MS;
      const { found } = await inSlices(expandAlone({ packed, timezone }, now));
      return found.filter(({ to }) => to > today);
    },

    /** One import at a time, so that each knows what the others leave. */
    importFile: ({ text, timezone, now, others, store }: Import): Promise<ImportedCalendar> =>
      importInTurn(async () => {
        const file = await readCalendarFile(text, timezone, now);
        const { packed, events, occurrences } = file;
        const added = knownOf({ timezone }, now, { days: DAYS_AHEAD, events, found: occurrences });
        await refuseTooMuch(added, others(), now);
        keep({ packed, timezone }, added);
        await store(packed);
        return file;
      }),

    /** For a rule that is created with a calendar: a copy of another one. */
    async refuseCopy(copy: StoredCalendar, others: readonly StoredCalendar[], now: number): Promise<void> {
      const added = find(copy, now) ?? (await inSlices(expandAlone(copy, now))).known;
      await refuseTooMuch(added, others, now);
    },
  };
}

const sum = (found: readonly (KnownCalendar | undefined)[]) => ({
  occurrences: found.reduce((all, known) => all + (known?.occurrences ?? 0), 0),
  size: found.reduce((all, known) => all + (known?.size ?? 0), 0),
});

export type Calendars = ReturnType<typeof createCalendars>;
