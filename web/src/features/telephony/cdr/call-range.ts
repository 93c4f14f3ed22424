import { readWall } from '../../../ui/wall-time.tsx';

/** Days of the history, by the calendar of the exchange. */
export const RANGES = ['today', 'yesterday', '7d', '30d', 'own'] as const;
export type Range = (typeof RANGES)[number];
export const isRange = (text: string): text is Range => RANGES.some((known) => known === text);

export interface Days {
  /** `YYYY-MM-DD`; both are inclusive. An empty one is open. */
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;
const dateText = (wall: number): string => new Date(wall).toISOString().slice(0, 10);
export const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dateText(Date.parse(text)) === text;

/** The wall-clock time of the zone, in milliseconds as if it were UTC. */
export function wallNow(now: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value);
  const day = Date.UTC(part('year'), part('month') - 1, part('day'));
  return day + (part('hour') * 3600 + part('minute') * 60 + part('second')) * 1000 + (now % 1000);
}

/** Seconds since a time without a zone. The clocks of the zone may have changed in between. */
export function secondsSince(text: string, now: number, zone: string): number {
  const wall = readWall(text);
  if (wall === undefined) return 0;
  const offsetAt = (at: number) => wallNow(at, zone) - at;
  const begun = wall - offsetAt(wall - offsetAt(now));
  return Math.max(0, (now - begun) / 1000);
}

export function daysOf(range: Range, own: Days, now: number, zone: string): Days {
  const today = wallNow(now, zone);
  const ago = (days: number) => dateText(today - days * DAY_MS);
  switch (range) {
    case 'today':
      return { from: ago(0), to: ago(0) };
    case 'yesterday':
      return { from: ago(1), to: ago(1) };
    case '7d':
      return { from: ago(6), to: ago(0) };
    case '30d':
      return { from: ago(29), to: ago(0) };
    case 'own':
      return { from: isDate(own.from) ? own.from : '', to: isDate(own.to) ? own.to : '' };
  }
}
