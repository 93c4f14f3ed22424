import { expandSteps, joinRanges, type Occurrence } from '../../../lib/icalendar/expand.ts';
import type { CalendarEvent } from '../../../lib/icalendar/read-calendar.ts';
import type { Steps } from '../../../lib/in-slices.ts';
import { DAYS_AHEAD, MAX_OCCURRENCES, sizeOf, unpack, windowAt } from './calendar-file.ts';

/** A rule's calendar and time zone. */
export interface StoredCalendar {
  readonly packed: string;
  readonly timezone: string;
}

export type Ranges = readonly (readonly [from: number, to: number])[];

/** A calendar as expanded from a given day on. */
export interface KnownCalendar {
  readonly from: number;
  /** How far ahead. */
  readonly days: number;
  readonly ranges: Ranges;
  readonly occurrences: number;
  readonly size: number;
}

/** Returns `undefined` for more than `most` occurrences. */
export function* expandCalendar(
  calendar: StoredCalendar,
  at: number,
  { days, most }: { readonly days: number; readonly most: number },
): Steps<KnownCalendar | undefined> {
  yield;
  const events = unpack(calendar.packed);
  const found = yield* occurrencesOf(events, calendar.timezone, at, days, most);
  return found && knownOf(calendar, at, { days, events, found });
}

/** Expands one calendar regardless of the others, for as many days as fit. */
export function* expandAlone(calendar: StoredCalendar, at: number) {
  const events = unpack(calendar.packed);
  for (let days = DAYS_AHEAD; days >= 1; days = Math.floor(days / 2)) {
    const found = yield* occurrencesOf(events, calendar.timezone, at, days, MAX_OCCURRENCES);
    if (found) return { found, known: knownOf(calendar, at, { days, events, found }) };
  }
  return { found: [], known: knownOf(calendar, at, { days: 1, events, found: [] }) };
}

export const knownOf = (
  { timezone }: Pick<StoredCalendar, 'timezone'>,
  at: number,
  {
    days,
    events,
    found,
  }: {
    readonly days: number;
    readonly events: readonly CalendarEvent[];
    readonly found: readonly Occurrence[];
  },
): KnownCalendar => ({
  from: windowAt(at, timezone).from,
  days,
  ranges: joinRanges(found),
  occurrences: found.length,
  size: sizeOf(events),
});

const occurrencesOf = (
  events: readonly CalendarEvent[],
  timezone: string,
  at: number,
  days: number,
  maxOccurrences: number,
) => expandSteps(events, { ...windowAt(at, timezone, days), timezone, maxOccurrences });
