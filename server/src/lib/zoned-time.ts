import { zoneOffset } from './local-time.ts';
import { instantIn, offsetSpans } from './zone-spans.ts';

/**
 * Wall-clock times of one zone. They are held as numbers: milliseconds as if the wall clock were UTC. What was written
 * down as a wall clock without an offset cannot be told apart in the hour that autumn doubles, so what is stored is never
 * turned into an instant; instants are turned into wall clocks instead. Only what somebody asks for is (`readInstant`).
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

interface Written {
  /** As written, milliseconds as if it were UTC. */
  readonly time: number;
  readonly spanMs: number;
  /** `undefined`: a wall clock. */
  readonly offsetMs: number | undefined;
}

function readWritten(text: string): Written | undefined {
  const [, date, time = '00:00:00', fraction, zulu, sign, hours = '', minutes = ''] = FORM.exec(text) ?? [];
  if (date === undefined) return undefined;
  const milliseconds = Number((fraction ?? '').padEnd(3, '0').slice(0, 3));
  const written = Date.parse(`${date}T${time}Z`) + milliseconds;
  // Date.parse takes 24:00:00 and, for some months, day 31 as the next day.
  if (Number.isNaN(written) || wallText(written).slice(0, 19) !== `${date} ${time}`) return undefined;
  const spanMs = text.length === date.length ? DAY_MS : fraction === undefined ? 1000 : 1;
  if (zulu === undefined && sign === undefined) return { time: written, spanMs, offsetMs: undefined };
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return { time: written, spanMs, offsetMs };
}

/**
 * A date, or a date and time with `T` or a space between, with or without fraction and offset; `undefined` for anything
 * else. With an offset it is converted to the zone. A `+` that a client forgot to encode arrives as a space.
 */
export function readWallTime(text: string, timezone: string): WallMoment | undefined {
  const written = readWritten(text);
  if (!written) return undefined;
  const { time, spanMs, offsetMs } = written;
  return { wall: offsetMs === undefined ? time : wallTime(time - offsetMs, timezone), spanMs };
}

/** The moment that a time means; of a wall clock that is shown twice the first, of one that is left out as if it were not. */
export const readInstant = (text: string, timezone: string): number | undefined =>
  instantOf(text, (wall) => instantIn(offsetSpans(timezone, wall - DAY_MS, wall + DAY_MS), wall));

/**
 * For who asks for all that was changed since then: a wall clock within a day of a change of the clocks is read rather too
 * early, so that nothing is missed.
 */
export const readInstantOrEarlier = (text: string, timezone: string): number | undefined =>
  instantOf(
    text,
    (wall) => wall - Math.max(...[wall - DAY_MS, wall + DAY_MS].map((at) => zoneOffset(at, timezone))),
  );

function instantOf(text: string, ofWall: (wall: number) => number): number | undefined {
  const written = readWritten(text);
  if (!written) return undefined;
  return written.offsetMs === undefined ? ofWall(written.time) : written.time - written.offsetMs;
}
