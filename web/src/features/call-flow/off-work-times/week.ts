import { api } from '../../../api/api.ts';

const DAY_MS = 86_400_000;
/** Nobody opens and closes more often on one day; it ends whatever the answers are. */
const MOST_CHANGES = 48;

/** A time of one day at which the line is closed, in minutes since midnight. */
interface Closed {
  readonly from: number;
  readonly to: number;
  readonly rule: string;
}

export interface Day {
  /** `2026-11-16` */
  readonly date: string;
  readonly closed: readonly Closed[];
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Today on the wall of the exchange. */
export const today = (zone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format();

/** Minutes since midnight on the wall of the exchange. */
export function minuteNow(zone: string): number {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
  return minuteOf(time.format());
}

/** The days of the week that a date is in, Monday first; of another week when it is none. */
export function weekOf(date: string, fallback: string): string[] {
  const known = /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date)) ? date : fallback;
  const ms = Date.parse(known);
  const monday = ms - ((new Date(ms).getUTCDay() + 6) % 7) * DAY_MS;
  return Array.from({ length: 7 }, (_, at) => dateOf(monday + at * DAY_MS));
}

export const addDays = (date: string, days: number): string => dateOf(Date.parse(date) + days * DAY_MS);

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** As the exchange itself answers for each moment: priorities, calendars and zones are its business. */
export async function readDay(date: string, incomingRouteId: string): Promise<Day> {
  const end = `${addDays(date, 1)} 00:00:00`;
  const closed: Closed[] = [];
  let at = `${date} 00:00:00`;
  for (let step = 0; step < MOST_CHANGES && at < end; step++) {
    const { data } = await api.offWorkTimes.getState({ at: at.replace(' ', 'T'), incomingRouteId });
    const next = data.until > at && data.until < end ? data.until : end;
    if (data.state === 'closed')
      closed.push({
        from: minuteOf(at.slice(11)),
        to: next === end ? 24 * 60 : minuteOf(next.slice(11)),
        rule: data.ruleName,
      });
    at = next;
  }
  return { date, closed };
}

/** `09:00`; the end of a day is 24:00. */
export const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
