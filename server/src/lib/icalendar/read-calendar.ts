import { atOnce, type Steps } from '../in-slices.ts';
import { instantAt } from '../zone-spans.ts';
import { type ContentLine, readContentLines, readText } from './content-lines.ts';
import { type Budget, type Recurrence, readRecurrence } from './recurrence.ts';
import { MAX_DATES, type Named, readStamps, type Stamp } from './stamp.ts';
import { TooMany, Unreadable } from './unreadable.ts';

/** A usable event of a calendar file. Plain data: it is stored as JSON. */
export interface CalendarEvent {
  readonly summary: string;
  readonly start: Stamp;
  /** Its length: calendar days, then milliseconds. */
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
  /** Which limit was exceeded, in words: the rest was not read. */
  readonly tooMany?: string;
}

interface Bounds {
  readonly maxEvents: number;
}

/** Used up by the file so far: the rest of it may be refused because of that. */
interface Spent {
  readonly budget: Budget;
  readonly named: Named;
}

const DAY_MS = 86_400_000;
const MAX_STAMPS = 2000;
const MAX_DAYS_COUNTED = 3_000_000;
/** A repeated event that lasts longer would never end. */
const LONGEST_REPEATED_DAYS = 366;

export const readCalendar = (text: string, bounds: Bounds): ReadCalendar =>
  atOnce(readCalendarSteps(text, bounds));

/** The events of a calendar file (RFC 5545) that say when something is closed (contract 26.9). */
export function* readCalendarSteps(text: string, { maxEvents }: Bounds): Steps<ReadCalendar> {
  const events: CalendarEvent[] = [];
  const skipped: SkippedEvent[] = [];
  const spent: Spent = { budget: { days: MAX_DAYS_COUNTED }, named: { zones: new Set(), dates: 0 } };
  for (const lines of readEvents(text)) {
    yield;
    if (!lines) continue;
    if (events.length + skipped.length >= maxEvents)
      return { events, skipped, tooMany: `at most ${maxEvents} events` };
    try {
      events.push(readEvent(lines, spent));
    } catch (error) {
      if (error instanceof TooMany) return { events, skipped, tooMany: error.message };
      if (!(error instanceof Unreadable)) throw error;
      const said = (name: string) => readText(lines.get(name)?.[0]?.value ?? '');
      skipped.push({ uid: said('UID'), summary: said('SUMMARY'), reason: error.message });
    }
  }
  return { events, skipped };
}

/** Lines of an event by name: only those we use, and no more than we could read. */
type EventLines = ReadonlyMap<string, readonly ContentLine[]>;

/** How many lines of a name are kept; where several are an error, enough of them to notice it. */
const KEPT_LINES: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['UID', 'SUMMARY', 'STATUS', 'TRANSP', 'RECURRENCE-ID', 'DTSTART', 'DTEND', 'DURATION'].map((name) => [
      name,
      1,
    ]),
  ),
  RRULE: 2,
  EXRULE: 1,
  EXDATE: MAX_DATES + 1,
  RDATE: MAX_DATES + 1,
};

/** The lines of each VEVENT, without nested parts: an alarm has a DURATION too. Yields `undefined` like the lines. */
function* readEvents(text: string): Generator<EventLines | undefined> {
  let lines: Map<string, ContentLine[]> | undefined;
  let inner: string[] = [];
  for (const line of readContentLines(text)) {
    if (!line) {
      yield undefined;
      continue;
    }
    const part = line.name === 'BEGIN' || line.name === 'END' ? line.value.trim().toUpperCase() : '';
    if (line.name === 'BEGIN' && part === 'VEVENT') {
      // A previous one that never ended is not an event.
      [lines, inner] = [new Map(), []];
    } else if (line.name === 'BEGIN' && lines) inner.push(part);
    else if (line.name === 'END' && lines) {
      if (part === 'VEVENT') {
        yield lines;
        lines = undefined;
      } else if (inner.at(-1) === part) inner.pop();
    } else if (inner.length === 0 && lines) keepLine(lines, line);
  }
}

function keepLine(lines: Map<string, ContentLine[]>, line: ContentLine): void {
  const most = Object.hasOwn(KEPT_LINES, line.name) ? (KEPT_LINES[line.name] ?? 0) : 0;
  const same = lines.get(line.name);
  if (!same && most > 0) lines.set(line.name, [line]);
  else if (same && same.length < most) same.push(line);
}

function readEvent(lines: EventLines, { budget, named }: Spent): CalendarEvent {
  const find = (name: string) => lines.get(name)?.[0];
  const one = (line: ContentLine) => readOne(line, named);
  const word = (name: string) => find(name)?.value.trim().toUpperCase();
  if (word('STATUS') === 'CANCELLED') throw new Unreadable('cancelled');
  if (word('TRANSP') === 'TRANSPARENT') throw new Unreadable('does not take up time (TRANSPARENT)');
  if (find('RECURRENCE-ID')) throw new Unreadable('changes one occurrence of another event');
  const begin = find('DTSTART');
  if (!begin) throw new Unreadable('has no start');
  const start = one(begin);
  const rules = lines.get('RRULE') ?? [];
  if (rules.length > 1 || find('EXRULE')) throw new Unreadable('repeats by more than one rule');
  const [end, duration] = [find('DTEND'), find('DURATION')];
  const length = readLength(start, end && one(end), duration);
  const without = readDates(lines.get('EXDATE'), named);
  const also = readDates(lines.get('RDATE'), named);
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

function readDates(lines: readonly ContentLine[] = [], named: Named): Stamp[] {
  const stamps: Stamp[] = [];
  for (const line of lines) {
    stamps.push(...readStamps(line, named));
    if (stamps.length + named.dates > MAX_DATES)
      throw new TooMany(`at most ${MAX_DATES} dates in EXDATE and RDATE`);
  }
  named.dates += stamps.length;
  return stamps;
}

function readOne(line: ContentLine, named: Named): Stamp {
  const [stamp, more] = readStamps(line, named);
  if (!stamp || more) throw new Unreadable(`${line.name} is not a single time`);
  return stamp;
}

type Length = Pick<CalendarEvent, 'days' | 'ms'>;

function readLength(start: Stamp, end: Stamp | undefined, duration: ContentLine | undefined): Length {
  const length = end
    ? lengthTo(start, end)
    : duration
      ? readDuration(duration.value.trim())
      : { days: start.isDate ? 1 : 0, ms: 0 };
  if (length.days < 0 || length.ms < 0) throw new Unreadable('ends before it begins');
  // Some programs give the day itself as the end of a one-day event.
  if (start.isDate && length.days === 0 && length.ms === 0) return { days: 1, ms: 0 };
  if (length.days === 0 && length.ms === 0) throw new Unreadable('has no duration');
  return length;
}

function lengthTo(start: Stamp, end: Stamp): Length {
  if (start.isDate !== end.isDate)
    throw new Unreadable('begins with a date and ends with a time, or the other way round');
  if (start.isDate) return { days: (end.wall - start.wall) / DAY_MS, ms: 0 };
  if ((start.zone === '') !== (end.zone === '')) throw new Unreadable('begins or ends without a zone');
  return { days: 0, ms: instantOf(end) - instantOf(start) };
}

/** Without a zone, the length is that of the wall clock. */
const instantOf = ({ wall, zone }: Stamp): number =>
  zone === '' || zone === 'UTC' ? wall : instantAt(zone, wall);

const DURATION =
  /^([+-]?)P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$/;

function readDuration(text: string): Length {
  const [whole, sign, ...parts] = DURATION.exec(text.toUpperCase()) ?? [];
  if (whole === undefined) throw new Unreadable(`not a duration: ${text.slice(0, 40)}`);
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  if (sign === '-') throw new Unreadable('ends before it begins');
  return { days: weeks * 7 + days, ms: ((hours * 60 + minutes) * 60 + seconds) * 1000 };
}
