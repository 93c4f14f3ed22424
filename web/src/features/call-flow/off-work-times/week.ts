import { api } from '../../../api/api.ts';
import { readWall } from '../../../ui/wall-time.tsx';
import { momentOf, momentText, type Stretch, stretchesOf, wallOf } from './wall-clock.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const WHOLE = 24 * 60;
/** Nobody opens and closes more often on one day; this ends the loop whatever the answers are. */
const MOST_CHANGES = 48;

/** A period during which the line is closed, and by which rule. */
interface Closed {
  readonly from: number;
  readonly to: number;
  readonly rule: string;
}

export interface Day {
  /** `2026-11-16` */
  readonly date: string;
  /** In minutes since midnight, by the wall clock. */
  readonly closed: readonly Closed[];
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Today's date in the time zone of the exchange. */
export const today = (zone: string, now = Date.now()): string => dateOf(wallOf(now, zone));

/** Minutes since midnight in the time zone of the exchange. */
export const minuteNow = (zone: string): number =>
  Math.floor((wallOf(Date.now(), zone) % DAY_MS) / MINUTE_MS);

/** The days of the week that contains a date, Monday first; of the fallback's week if it is not a date. */
export function weekOf(date: string, fallback: string): string[] {
  const known = /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date)) ? date : fallback;
  const ms = Date.parse(known);
  const monday = ms - ((new Date(ms).getUTCDay() + 6) % 7) * DAY_MS;
  return Array.from({ length: 7 }, (_, at) => dateOf(monday + at * DAY_MS));
}

export const addDays = (date: string, days: number): string => dateOf(Date.parse(date) + days * DAY_MS);

/** From the exchange's answer for each moment: it decides on priorities, calendars and zones. */
export async function readDay(date: string, incomingRouteId: string, zone: string): Promise<Day> {
  const midnight = Date.parse(date);
  const closed: Closed[] = [];
  for (const stretch of stretchesOf(date, zone)) {
    const minuteOf = (at: number) => (at + stretch.offset - midnight) / MINUTE_MS;
    for (const { from, to, rule } of await closedIn(stretch, incomingRouteId, zone)) {
      // A period that ends in the hour skipped in spring continues after it.
      const end =
        to === stretch.to ? Math.max(minuteOf(to), (wallOf(to, zone) - midnight) / MINUTE_MS) : minuteOf(to);
      add(closed, { from: minuteOf(from), to: Math.min(end, WHOLE), rule });
    }
  }
  return { date, closed: closed.toSorted((a, b) => a.from - b.from) };
}

/** Uses moments: a wall-clock time that autumn repeats could not be queried twice. */
async function closedIn({ from, to }: Stretch, incomingRouteId: string, zone: string): Promise<Closed[]> {
  const closed: Closed[] = [];
  let at = from;
  for (let step = 0; step < MOST_CHANGES && at < to; step++) {
    const { data } = await api.offWorkTimes.getState({ at: momentText(at), incomingRouteId });
    const wall = readWall(data.until);
    const until = wall === undefined ? to : momentOf(wall, zone, at);
    const next = until > at && until < to ? until : to;
    if (data.state === 'closed') closed.push({ from: at, to: next, rule: data.ruleName });
    at = next;
  }
  return closed;
}

/** The hour that autumn repeats is shown once. */
function add(closed: Closed[], one: Closed): void {
  const at = closed.findIndex(({ from, to, rule }) => rule === one.rule && one.from <= to && one.to >= from);
  const met = closed[at];
  if (!met) closed.push(one);
  else closed[at] = { ...met, from: Math.min(met.from, one.from), to: Math.max(met.to, one.to) };
}

/** `09:00`; the end of a day is 24:00. */
export const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
