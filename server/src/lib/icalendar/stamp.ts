import { zoneName } from '../zone-names.ts';
import type { ContentLine } from './content-lines.ts';
import { TooMany, Unreadable } from './unreadable.ts';

/** A date, or a date and time, as written in a calendar file. Plain data: it is stored as JSON. */
export interface Stamp {
  /** Milliseconds as if the wall clock were UTC. */
  readonly wall: number;
  readonly isDate: boolean;
  /** `''`: the reader's zone. */
  readonly zone: string;
}

const FORM = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/;
const [EARLIEST, LATEST] = [1900, 2200];

/** Limits for a file: clocks of many zones take long to compute, and every date is examined every day. */
const MAX_ZONES = 20;
export const MAX_DATES = 5000;

/** What a file has named so far. */
export interface Named {
  readonly zones: Set<string>;
  dates: number;
}

/** One or more values of a property such as DTSTART or EXDATE. */
export function readStamps({ value, parameters }: ContentLine, named: Named): Stamp[] {
  if (parameters.get('VALUE') === 'PERIOD') throw new Unreadable('a time is given as a period');
  const zone = readZone(parameters.get('TZID'));
  if (zone !== '') named.zones.add(zone);
  if (named.zones.size > MAX_ZONES) throw new TooMany(`at most ${MAX_ZONES} time zones`);
  return value.split(',').map((text) => readStamp(text.trim(), zone));
}

export function readStamp(text: string, zone: string): Stamp {
  const [whole, year, month, day, hours, minutes, seconds = '', zulu] = FORM.exec(text) ?? [];
  if (whole === undefined) throw new Unreadable(`not a date or time: ${text.slice(0, 40)}`);
  const isDate = hours === undefined;
  // A leap second becomes the last ordinary second.
  const time = isDate ? '00:00:00' : `${hours}:${minutes}:${seconds === '60' ? '59' : seconds}`;
  const written = `${year}-${month}-${day}T${time}`;
  const wall = Date.parse(`${written}Z`);
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(written))
    throw new Unreadable(`not a date or time: ${text.slice(0, 40)}`);
  if (Number(year) < EARLIEST || Number(year) > LATEST) throw new Unreadable(`the year ${year}`);
  return { wall, isDate, zone: isDate ? '' : zulu === 'Z' ? 'UTC' : zone };
}

/** Some programs prefix the name of the zone: `/example.org/Europe/Berlin`. */
function readZone(name: string | undefined): string {
  if (name === undefined || name === '') return '';
  const parts = name.split('/');
  for (const candidate of [name, parts.slice(-2).join('/'), parts.slice(-3).join('/')]) {
    const zone = zoneName(candidate);
    if (zone !== undefined) return zone;
  }
  throw new Unreadable(`no such time zone: ${name.slice(0, 60)}`);
}
