import { instantIn, offsetSpans } from '../zone-spans.ts';
import { type ContentLine, readContentLines, readText } from './content-lines.ts';
import { type Budget, type Recurrence, readRecurrence } from './recurrence.ts';
import { readStamps, type Stamp } from './stamp.ts';
import { Unreadable } from './unreadable.ts';

/** An event of a calendar file that counts. Plain data: it is stored as JSON. */
export interface CalendarEvent {
  readonly summary: string;
  readonly start: Stamp;
  /** How long it is: days of the calendar, and then so much more time. */
  readonly days: number;
  readonly ms: number;
  readonly recurrence?: Recurrence;
  readonly without?: readonly Stamp[];
  readonly also?: readonly Stamp[];
}

export interface SkippedEvent {
  readonly uid: string;
  readonly summary: string;
  readonly reason: string;
}

export interface ReadCalendar {
  readonly events: readonly CalendarEvent[];
  readonly skipped: readonly SkippedEvent[];
  /** There are more than `maxEvents`: the rest was not read. */
  readonly isTooLong: boolean;
}

const DAY_MS = 86_400_000;
const SPAN_MS = 28 * DAY_MS;
const MAX_STAMPS = 2000;
const MAX_PERIODS = 1_000_000;
/** One that repeats and lasts longer would always be on. */
const LONGEST_REPEATED_DAYS = 366;

/** The events of a calendar file (RFC 5545), as far as they say when something is closed (contract 26.9). */
export function readCalendar(text: string, { maxEvents }: { readonly maxEvents: number }): ReadCalendar {
  const events: CalendarEvent[] = [];
  const skipped: SkippedEvent[] = [];
  const budget = { periods: MAX_PERIODS };
  for (const lines of readEvents(text)) {
    if (events.length + skipped.length >= maxEvents) return { events, skipped, isTooLong: true };
    try {
      events.push(readEvent(lines, budget));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const said = (name: string) => readText(lines.find((line) => line.name === name)?.value ?? '');
      skipped.push({ uid: said('UID'), summary: said('SUMMARY'), reason: error.message });
    }
  }
  return { events, skipped, isTooLong: false };
}

/** The lines of each VEVENT, without those of what lies inside it: an alarm has a DURATION too. */
function* readEvents(text: string): Generator<ContentLine[]> {
  let lines: ContentLine[] | undefined;
  let inner: string[] = [];
  for (const line of readContentLines(text)) {
    const part = line.value.trim().toUpperCase();
    if (line.name === 'BEGIN' && part === 'VEVENT') {
      // One that never ended is no event.
      [lines, inner] = [[], []];
    } else if (line.name === 'BEGIN' && lines) inner.push(part);
    else if (line.name === 'END' && lines) {
      if (part === 'VEVENT') {
        yield lines;
        lines = undefined;
      } else if (inner.at(-1) === part) inner.pop();
    } else if (inner.length === 0) lines?.push(line);
  }
}

function readEvent(lines: readonly ContentLine[], budget: Budget): CalendarEvent {
  const find = (name: string) => lines.find((line) => line.name === name);
  const all = (name: string) => lines.filter((line) => line.name === name).flatMap(readStamps);
  const word = (name: string) => find(name)?.value.trim().toUpperCase();
  if (word('STATUS') === 'CANCELLED') throw new Unreadable('cancelled');
  if (word('TRANSP') === 'TRANSPARENT') throw new Unreadable('does not take up time (TRANSPARENT)');
  if (find('RECURRENCE-ID')) throw new Unreadable('changes one occurrence of another event');
  const begin = find('DTSTART');
  if (!begin) throw new Unreadable('has no beginning');
  const start = readOne(begin);
  const rules = lines.filter(({ name }) => name === 'RRULE');
  if (rules.length > 1 || find('EXRULE')) throw new Unreadable('repeats by more than one rule');
  const length = readLength(start, find('DTEND'), find('DURATION'));
  const without = all('EXDATE');
  const also = all('RDATE');
  if (without.length + also.length > MAX_STAMPS) throw new Unreadable(`more than ${MAX_STAMPS} dates`);
  if ((rules[0] || also.length > 0) && length.days + length.ms / DAY_MS > LONGEST_REPEATED_DAYS)
    throw new Unreadable('repeats, and lasts longer than a year');
  return {
    summary: readText(find('SUMMARY')?.value ?? ''),
    start,
    ...length,
    ...(rules[0] && { recurrence: readRecurrence(rules[0].value.trim(), start, budget) }),
    ...(without.length > 0 && { without }),
    ...(also.length > 0 && { also }),
  };
}

function readOne(line: ContentLine): Stamp {
  const [stamp, more] = readStamps(line);
  if (!stamp || more) throw new Unreadable(`${line.name} is not one time`);
  return stamp;
}

type Length = Pick<CalendarEvent, 'days' | 'ms'>;

function readLength(start: Stamp, end: ContentLine | undefined, duration: ContentLine | undefined): Length {
  const length = end
    ? lengthTo(start, readOne(end))
    : duration
      ? readDuration(duration.value.trim())
      : { days: start.isDate ? 1 : 0, ms: 0 };
  if (length.days < 0 || length.ms < 0) throw new Unreadable('ends before it begins');
  // Some programs write the day itself as the end of a day.
  if (start.isDate && length.days === 0 && length.ms === 0) return { days: 1, ms: 0 };
  if (length.days === 0 && length.ms === 0) throw new Unreadable('takes no time');
  return length;
}

function lengthTo(start: Stamp, end: Stamp): Length {
  if (start.isDate !== end.isDate)
    throw new Unreadable('begins with a date and ends with a time, or the other way');
  if (start.isDate) return { days: (end.wall - start.wall) / DAY_MS, ms: 0 };
  if ((start.zone === '') !== (end.zone === '')) throw new Unreadable('begins or ends without a zone');
  return { days: 0, ms: instantOf(end) - instantOf(start) };
}

/** Of one without a zone the length is that of the wall clock. */
function instantOf({ wall, zone }: Stamp): number {
  if (zone === '' || zone === 'UTC') return wall;
  const begin = Math.floor(wall / SPAN_MS) * SPAN_MS;
  return instantIn(offsetSpans(zone, begin - SPAN_MS, begin + 2 * SPAN_MS), wall);
}

const DURATION =
  /^([+-]?)P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$/;

function readDuration(text: string): Length {
  const [whole, sign, ...parts] = DURATION.exec(text.toUpperCase()) ?? [];
  if (whole === undefined) throw new Unreadable(`no length: ${text.slice(0, 40)}`);
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  if (sign === '-') throw new Unreadable('ends before it begins');
  return { days: weeks * 7 + days, ms: ((hours * 60 + minutes) * 60 + seconds) * 1000 };
}
