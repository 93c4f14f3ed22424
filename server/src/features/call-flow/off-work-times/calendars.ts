import { gunzipSync, gzipSync } from 'node:zlib';
import { InvalidFields } from '../../../lib/errors.ts';
import { expandEvents, joinRanges, type Occurrence } from '../../../lib/icalendar/expand.ts';
import { type CalendarEvent, readCalendar, type SkippedEvent } from '../../../lib/icalendar/read-calendar.ts';
import { wallTime } from '../../../lib/zoned-time.ts';

const MAX_EVENTS = 5000;
const MAX_OCCURRENCES = 20_000;
const DAY_MS = 86_400_000;
/** In force: yesterday to so many days ahead (contract 26.9). */
const DAYS_AHEAD = 400;
const MAX_KEPT = 1000;
const MAX_DAYS = 10;

export interface ImportedCalendar {
  readonly packed: string;
  readonly events: number;
  readonly occurrences: readonly Occurrence[];
  readonly skipped: readonly SkippedEvent[];
}

export function importCalendar(text: string, timezone: string, now: number): ImportedCalendar {
  const { events, skipped, isTooLong } = readCalendar(text, { maxEvents: MAX_EVENTS });
  if (isTooLong) throw new InvalidFields(`ics: at most ${MAX_EVENTS} events`, ['ics']);
  if (events.length === 0) {
    const [first] = skipped;
    const why = first ? `; the first of ${skipped.length} is skipped: ${first.reason}` : '';
    throw new InvalidFields(`ics: there is no event in it that can be read${why}`, ['ics']);
  }
  const occurrences = expandEvents(events, {
    ...windowAt(now, timezone),
    timezone,
    maxOccurrences: MAX_OCCURRENCES,
  });
  if (!occurrences)
    throw new InvalidFields(`ics: more than ${MAX_OCCURRENCES} occurrences in ${DAYS_AHEAD} days`, ['ics']);
  return { packed: pack(events), events: events.length, occurrences, skipped };
}

/** Small enough to lie in the record itself. */
const pack = (events: readonly CalendarEvent[]): string =>
  gzipSync(JSON.stringify(events)).toString('base64');
const unpack = (packed: string): CalendarEvent[] =>
  JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()) as CalendarEvent[];

/** From the beginning of yesterday. */
function windowAt(now: number, timezone: string, daysAhead = DAYS_AHEAD) {
  const wall = wallTime(now, timezone);
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS - (wall - now);
  return { from: midnight - DAY_MS, to: midnight + daysAhead * DAY_MS };
}

/** Since the import there may be more than were allowed then: those further ahead come into force later. */
function expand(packed: string, timezone: string, now: number): Occurrence[] {
  const events = unpack(packed);
  for (let days = DAYS_AHEAD; days >= 1; days = Math.floor(days / 2)) {
    const window = windowAt(now, timezone, days);
    const found = expandEvents(events, { ...window, timezone, maxOccurrences: MAX_OCCURRENCES });
    if (found) return found;
  }
  return [];
}

type Ranges = readonly (readonly [from: number, to: number])[];

/** Calendars as they are in force on a day; those of the last days asked for are kept. */
export function createCalendars() {
  /** By the calendar, which may be long: a text that is the same object is found without reading it. */
  const kept = new Map<string, Map<string, Ranges>>();

  return {
    rangesAt(packed: string, timezone: string, now: number): Ranges {
      const { from } = windowAt(now, timezone);
      const day = `${from} ${timezone}`;
      const days = kept.get(packed) ?? new Map<string, Ranges>();
      const known = days.get(day);
      if (known) return known;
      const ranges = joinRanges(expand(packed, timezone, now));
      keep(days, day, ranges, MAX_DAYS);
      keep(kept, packed, days, MAX_KEPT);
      return ranges;
    },

    /** From today on. */
    occurrencesAt(packed: string, timezone: string, now: number): Occurrence[] {
      const today = windowAt(now, timezone).from + DAY_MS;
      return expand(packed, timezone, now).filter(({ to }) => to > today);
    },
  };
}

/** In the place of the oldest one where there are too many. */
function keep<T>(kept: Map<string, T>, key: string, value: T, most: number): void {
  const [oldest] = kept.keys();
  if (!kept.has(key) && kept.size >= most && oldest !== undefined) kept.delete(oldest);
  kept.set(key, value);
}

export type Calendars = ReturnType<typeof createCalendars>;
