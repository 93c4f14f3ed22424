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

/** Events and dates of all rules together: two files that are as large as may be. */
const MAX_SIZE = 20_000;
/** Today, and other days that somebody asks for. */
const DAYS_KEPT = 3;
/** What was found out so many days ago still reaches as far as anybody looks ahead. */
const STALE_DAYS = 29;

interface Import extends Pick<StoredCalendar, 'timezone'> {
  readonly text: string;
  readonly now: number;
  /** Of the other rules, when it is the turn of this one. */
  readonly others: () => readonly StoredCalendar[];
  readonly store: (packed: string) => Promise<unknown>;
}

/**
 * Calendars as they are in force from a day on. To expand them takes a while: it is done in slices, for all rules once a day, and
 * they have one bound together (contract 26.9).
 */
export function createCalendars() {
  /** By the calendar, which may be long (a text that is the same object is found without reading it), and then by zone. */
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

  /** The day that is asked for most goes last. */
  function touch({ packed, timezone }: StoredCalendar, at: number): void {
    const { from } = windowAt(at, timezone);
    const days = all({ packed, timezone });
    if (days.at(-1)?.from === from) return;
    const [same, others] = [days.filter((one) => one.from === from), days.filter((one) => one.from !== from)];
    kept.get(packed)?.set(timezone, [...others, ...same]);
  }

  /** What no rule has any more is forgotten. */
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

  /** Since the imports there may be more than were allowed then: those further ahead come into force later. */
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
      // Even a day has too many: the rules before this one keep theirs.
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
    /** Waits until it is known what all that there are do from a day on; what was known of others goes. */
    async ready(stored: readonly StoredCalendar[], at: number): Promise<void> {
      keepOnly(stored);
      await findOut(stored, at);
      for (const calendar of stored) touch(calendar, at);
    },

    /** Another number whenever `rangesAt` may say something else. */
    revision: (): number => revision,

    /** Of one that is not ready, what was known of it a few days ago. */
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

    /** From today on. */
    async occurrencesAt(packed: string, timezone: string, now: number): Promise<Occurrence[]> {
      const today = windowAt(now, timezone).from + DAY_MS;
      const { found } = await inSlices(expandAlone({ packed, timezone }, now));
      return found.filter(({ to }) => to > today);
    },

    /** One after the other, so that each knows what the others leave. */
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

    /** For a rule that comes with a calendar: the copy of another one. */
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
