import { zoneOffset } from './local-time.ts';

/**
 * Wall-clock times of one zone. They are held as numbers: milliseconds as if the wall clock were UTC. What was written
 * down as a wall clock without an offset cannot be told apart in the hour that autumn doubles, so it is never turned
 * into an instant; instants are turned into wall clocks instead.
 */
export const wallTime = (at: number, timezone: string): number => at + zoneOffset(at, timezone);

/** `2026-05-04 10:11:12.000` */
export const wallText = (wall: number): string => new Date(wall).toISOString().replace('T', ' ').slice(0, 23);

export interface WallMoment {
  readonly wall: number;
  /** How much of the time was written: a bound without a fraction means the whole second, a date the whole day. */
  readonly spanMs: number;
}

const FORM = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:([Zz])|([+\- ])(\d\d):(\d\d))?)?$/;
const DAY_MS = 86_400_000;

/**
 * A date, or a date and time with `T` or a space between, with or without fraction and offset; `undefined` for anything
 * else. With an offset it is converted to the zone. A `+` that a client forgot to encode arrives as a space.
 */
export function readWallTime(text: string, timezone: string): WallMoment | undefined {
  const [, date, time = '00:00:00', fraction, zulu, sign, hours = '', minutes = ''] = FORM.exec(text) ?? [];
  if (date === undefined) return undefined;
  const milliseconds = Number((fraction ?? '').padEnd(3, '0').slice(0, 3));
  const written = Date.parse(`${date}T${time}Z`) + milliseconds;
  // Date.parse takes 24:00:00 and, for some months, day 31 as the next day.
  if (Number.isNaN(written) || wallText(written).slice(0, 19) !== `${date} ${time}`) return undefined;
  const spanMs = text.length === date.length ? DAY_MS : fraction === undefined ? 1000 : 1;
  if (zulu === undefined && sign === undefined) return { wall: written, spanMs };
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return { wall: wallTime(written - offset, timezone), spanMs };
}

/** The moment that a time means; of a wall clock that was shown twice, or hours from such a change, rather too early. */
export function readInstant(text: string, timezone: string): number | undefined {
  const wall = readWallTime(text, timezone)?.wall;
  if (wall === undefined) return undefined;
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((at) => wallTime(at, timezone) - at);
  return wall - Math.max(...offsets);
}
