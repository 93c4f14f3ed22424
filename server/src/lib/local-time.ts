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

function wallClock(at: number, timezone: string): Record<string, string> {
  return Object.fromEntries(
    formatFor(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
}

/** `2026-05-04 10:11:12` in the zone of the exchange. */
export function localDateTime(at: number, timezone: string): string {
  const t = wallClock(at, timezone);
  return `${t.year}-${t.month}-${t.day} ${t.hour}:${t.minute}:${t.second}`;
}

const iso = (at: number, timezone: string): string => {
  const local = localDateTime(at, timezone).replace(' ', 'T');
  const minutes = Math.round((Date.parse(`${local}Z`) - Math.floor(at / 1000) * 1000) / 60_000);
  const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${hours}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`;
};

/** The last few seconds asked for: every answer tells the time, and most tell the same. */
const told = new Map<string, string>();
const TOLD_KEPT = 8;

/** `2026-05-04T10:11:12+02:00`: ISO 8601 with a numeric offset. */
export function isoWithOffset(at: number, timezone: string): string {
  const key = `${Math.floor(at / 1000)} ${timezone}`;
  const known = told.get(key);
  if (known !== undefined) return known;
  const text = iso(at, timezone);
  if (told.size >= TOLD_KEPT) told.delete(told.keys().next().value as string);
  told.set(key, text);
  return text;
}
