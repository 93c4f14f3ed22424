import { zoneOffset } from './local-time.ts';
import { instantIn, offsetSpans } from './zone-spans.ts';

/**
 * Wall-clock times of one zone. They are held as numbers: milliseconds as if the wall clock were UTC. A wall clock
 * written without an offset is ambiguous in the hour that autumn repeats, so stored times are never turned into
 * instants; instants are turned into wall clocks instead. Only what a request asks for is (`readInstant`).
 */
export const wallTime = (at: number, timezone: string): number => at + zoneOffset(at, timezone);

/** `2026-05-04 10:11:12.000` */
export const wallText = (wall: number): string => new Date(wall).toISOString().replace('T', ' ').slice(0, 23);

export interface WallMoment {
  readonly wall: number;
  /** The precision of the text: a bound without a fraction means the whole second, a date the whole day. */
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
  // Date.parse reads 24:00:00 and, in some months, day 31 as the next day.
  if (Number.isNaN(written) || wallText(written).slice(0, 19) !== `${date} ${time}`) return undefined;
  const spanMs = text.length === date.length ? DAY_MS : fraction === undefined ? 1000 : 1;
  if (zulu === undefined && sign === undefined) return { time: written, spanMs, offsetMs: undefined };
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return { time: written, spanMs, offsetMs };
}

/**
 * A date, or a date and time with `T` or a space between, with or without fraction and offset; `undefined` for anything
 * else. A time with an offset is converted to the zone. A `+` that a client forgot to encode arrives as a space.
 */
export function readWallTime(text: string, timezone: string): WallMoment | undefined {
  const written = readWritten(text);
  if (!written) return undefined;
  const { time, spanMs, offsetMs } = written;
  return { wall: offsetMs === undefined ? time : wallTime(time - offsetMs, timezone), spanMs };
}

/** The moment of a written time: of a repeated wall clock the first; a skipped one moves by the clock change. */
export const readInstant = (text: string, timezone: string): number | undefined =>
  instantOf(text, (wall) => instantIn(offsetSpans(timezone, wall - DAY_MS, wall + DAY_MS), wall));

/**
 * For requests for all changes since then: a wall clock within a day of a clock change is read rather too early, so
 * that nothing is missed.
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
