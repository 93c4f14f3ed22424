import { keepAtMost } from './kept-at-most.ts';
import { zoneName } from './zone-names.ts';

/** Each takes tens of kilobytes outside the heap. */
const FORMATS_KEPT = 64;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timezone: string): Intl.DateTimeFormat {
  const name = zoneName(timezone) ?? timezone;
  const known = formats.get(name);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  keepAtMost(FORMATS_KEPT, formats, name, format);
  return format;
}

/** No zone had standard time before; years of few digits would be misread. */
const EARLIEST = Date.UTC(1800, 0);
/** `1/1/1850, GMT+00:53:28`; without an offset only `GMT`. */
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** Like `zoneOffset`, without its cache: for many moments that are not asked for again. */
export function askOffset(at: number, timezone: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    OFFSET.exec(formatFor(timezone).format(Math.max(at, EARLIEST))) ?? [];
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -offset : offset;
}

const QUARTER_MS = 900_000;
const QUARTERS_KEPT = 1000;
/** Clocks change at quarters of an hour, if at all; every answer and every call needs one of the last few. */
const quarters = new Map<string, number>();

/** How many milliseconds the clocks of a zone are ahead of UTC. */
export function zoneOffset(at: number, timezone: string): number {
  const quarter = Math.floor(at / QUARTER_MS);
  const key = `${quarter} ${timezone}`;
  const known = quarters.get(key);
  if (known !== undefined) return known;
  const offset = askOffset(quarter * QUARTER_MS, timezone);
  if (offset !== askOffset((quarter + 1) * QUARTER_MS - 1, timezone)) return askOffset(at, timezone);
  keepAtMost(QUARTERS_KEPT, quarters, key, offset);
  return offset;
}

const isoSecond = (at: number, offset: number): string => new Date(at + offset).toISOString().slice(0, 19);

/** `2026-05-04 10:11:12` in the zone of the exchange. */
export const localDateTime = (at: number, timezone: string): string =>
  isoSecond(at, zoneOffset(at, timezone)).replace('T', ' ');

/** `2026-05-04T10:11:12+02:00`: ISO 8601 with a numeric offset. */
export function isoWithOffset(at: number, timezone: string): string {
  const offset = zoneOffset(at, timezone);
  const minutes = Math.round(offset / 60_000);
  const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0');
  const sign = minutes < 0 ? '-' : '+';
  return `${isoSecond(at, offset)}${sign}${hours}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`;
}
