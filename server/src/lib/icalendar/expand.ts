import { atOnce, type Steps } from '../in-slices.ts';
import { createZoneClock } from '../zone-spans.ts';
import type { CalendarEvent } from './read-calendar.ts';
import { recurringDays } from './recurrence.ts';
import type { Stamp } from './stamp.ts';

/** One occurrence of an event. Half-open, milliseconds since the epoch, whole minutes. */
export interface Occurrence {
  readonly from: number;
  readonly to: number;
  readonly event: CalendarEvent;
}

interface ExpandOptions {
  readonly from: number;
  readonly to: number;
  /** The zone of whole days, and of times without a zone (contract 26.9). */
  readonly timezone: string;
  readonly maxOccurrences: number;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Twice the largest difference between two wall clocks: event, stamp and window may each be in another zone. */
const APART_MS = 4 * DAY_MS;

/** Occurrences between two moments, in order; `undefined`: more than `maxOccurrences`. One step per event. */
export function* expandSteps(
  events: readonly CalendarEvent[],
  { from, to, timezone, maxOccurrences }: ExpandOptions,
): Steps<Occurrence[] | undefined> {
  const clockOf = createClocks(timezone, from - APART_MS, to + APART_MS);
  const found: Occurrence[] = [];
  let looked = 0;
  for (const event of events) {
    yield;
    const { start, days, ms } = event;
    const clock = clockOf(start.zone);
    const wallOf = ({ wall, zone }: Stamp) =>
      zone === start.zone ? wall : clock.wall(clockOf(zone).instant(wall));
    const lasts = days * DAY_MS + ms;
    const isNear = (wall: number) => wall + lasts > from - APART_MS && wall < to + APART_MS;
    const near = (stamps: readonly Stamp[] = []) => stamps.filter(({ wall }) => isNear(wall));
    const leftOut = createLeftOut(near(event.without), wallOf);
    const window = { from: from - lasts - APART_MS, to: to + APART_MS };
    for (const wall of startsOf({ ...event, also: near(event.also) }, window, wallOf)) {
      if (!isNear(wall) || leftOut(wall)) continue;
      const begin = wholeMinute(clock.instant(wall));
      const end = wholeMinute(clock.instant(wall + days * DAY_MS) + ms);
      if (end <= from || begin >= to) continue;
      // An occurrence without a beginning of a minute costs as much as any other.
      if (++looked > maxOccurrences) return undefined;
      if (begin < end) found.push({ from: begin, to: end, event });
    }
  }
  return found.sort((a, b) => a.from - b.from || a.to - b.to);
}

export const expandEvents = (
  events: readonly CalendarEvent[],
  options: ExpandOptions,
): Occurrence[] | undefined => atOnce(expandSteps(events, options));

/** Opening hours use whole minutes (contract 26.1): a minute counts if it begins within. */
const wholeMinute = (at: number): number => Math.ceil(at / MINUTE_MS) * MINUTE_MS;

/** One clock per zone: however many stamps name it, it is computed once. */
function createClocks(timezone: string, from: number, to: number) {
  const clocks = new Map<string, ReturnType<typeof createZoneClock>>();
  return (zone: string) => {
    const known = clocks.get(zone);
    if (known) return known;
    const clock = createZoneClock(zone || timezone, from, to);
    clocks.set(zone, clock);
    return clock;
  };
}

/** Wall-clock times, in the zone of the event, at which it may begin. */
function* startsOf(
  { start, recurrence, also = [] }: CalendarEvent,
  near: { readonly from: number; readonly to: number },
  wallOf: (stamp: Stamp) => number,
): Generator<number> {
  const firstDay = Math.floor(start.wall / DAY_MS);
  const timeOfDay = start.wall - firstDay * DAY_MS;
  const [fromDay, toDay] = [Math.floor(near.from / DAY_MS), Math.ceil(near.to / DAY_MS)];
  if (recurrence) {
    const { until } = recurrence;
    // An end given as a date includes that day.
    const last = until ? (until.isDate ? until.wall + DAY_MS - 1 : wallOf(until)) : Infinity;
    // The days of a recurrence that is over are not walked through.
    const goesOn = last >= near.from ? recurringDays(recurrence, firstDay, fromDay, toDay) : [];
    for (const day of goesOn) {
      if (day * DAY_MS + timeOfDay > last) break;
      yield day * DAY_MS + timeOfDay;
    }
  } else yield start.wall;
  // For an event with a time, a date means the same time on that day.
  for (const stamp of also) yield stamp.isDate ? stamp.wall + timeOfDay : wallOf(stamp);
}

/** Tests whether an occurrence is excluded; a date excludes all that begin on it. */
function createLeftOut(without: readonly Stamp[], wallOf: (stamp: Stamp) => number) {
  const dates = new Set(without.flatMap(({ isDate, wall }) => (isDate ? wall : [])));
  const walls = new Set(without.flatMap((stamp) => (stamp.isDate ? [] : wallOf(stamp))));
  return (wall: number): boolean => walls.has(wall) || dates.has(Math.floor(wall / DAY_MS) * DAY_MS);
}

/** Merges into ranges that neither overlap nor touch. */
export function joinRanges(occurrences: readonly Pick<Occurrence, 'from' | 'to'>[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const { from, to } of occurrences) {
    const last = ranges.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else ranges.push([from, to]);
  }
  return ranges;
}
