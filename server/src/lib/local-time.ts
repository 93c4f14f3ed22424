const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(timezone, format);
  }
  return format;
}

/** No clock was set before; years of few digits would be read as others. */
const EARLIEST = Date.UTC(1800, 0);

function askOffset(instant: number, timezone: string): number {
  const at = Math.max(instant, EARLIEST);
  const parts = formatFor(timezone).formatToParts(at);
  const t = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)])) as Record<
    string,
    number
  >;
  const { year = 0, month = 0, day, hour, minute, second } = t;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

const QUARTER_MS = 900_000;
const QUARTERS_KEPT = 64;
/** Clocks are set at quarters of an hour, if at all; every answer and every call asks for one of the last few. */
const quarters = new Map<string, number>();

/** Milliseconds that the clocks of a zone are ahead of UTC. */
export function zoneOffset(at: number, timezone: string): number {
  const quarter = Math.floor(at / QUARTER_MS);
  const key = `${quarter} ${timezone}`;
  const known = quarters.get(key);
  if (known !== undefined) return known;
  const offset = askOffset(quarter * QUARTER_MS, timezone);
  if (offset !== askOffset((quarter + 1) * QUARTER_MS - 1, timezone)) return askOffset(at, timezone);
  if (quarters.size >= QUARTERS_KEPT) quarters.delete(quarters.keys().next().value as string);
  quarters.set(key, offset);
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
