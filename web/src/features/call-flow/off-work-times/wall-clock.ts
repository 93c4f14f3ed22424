const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const two = '2-digit';
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    ...{ month: two, day: two, hour: two, minute: two, second: two },
  });
  formats.set(zone, format);
  return format;
}

/** The wall-clock time of a zone at a moment, in milliseconds as if it were UTC. */
export function wallOf(at: number, zone: string): number {
  const parts = formatOf(zone).formatToParts(at);
  const part = (wanted: string) => Number(parts.find(({ type }) => type === wanted)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** The first moment after `after` at which the clock shows this; a time skipped in spring counts as if unchanged. */
export function momentOf(wall: number, zone: string, after = Number.NEGATIVE_INFINITY): number {
  const moments = [wall - DAY_MS, wall + DAY_MS]
    .map((near) => wall - (wallOf(near, zone) - near))
    .sort((a, b) => a - b);
  return (
    moments.find((moment) => moment > after && wallOf(moment, zone) === wall) ?? (moments.at(-1) as number)
  );
}

/** A period without a clock change. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  /** How far the clock is ahead of UTC. */
  readonly offset: number;
}

/** A day with a clock change has two of them. */
export function stretchesOf(date: string, zone: string): Stretch[] {
  const midnight = Date.parse(date);
  const [from, to] = [momentOf(midnight, zone), momentOf(midnight + DAY_MS, zone)];
  const offsetAt = (at: number) => wallOf(at, zone) - at;
  const [before, after] = [offsetAt(from), offsetAt(to - MINUTE_MS)];
  if (before === after) return [{ from, to, offset: before }];
  let [low, high] = [from, to];
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / MINUTE_MS / 2) * MINUTE_MS;
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return [
    { from, to: high, offset: before },
    { from: high, to, offset: after },
  ];
}

/** As the API reads it, whatever the wall clock shows then. */
export const momentText = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
