import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { InvalidFields } from '../../../lib/errors.ts';
import { expandSteps, type Occurrence } from '../../../lib/icalendar/expand.ts';
import {
  type CalendarEvent,
  readCalendarSteps,
  type SkippedEvent,
} from '../../../lib/icalendar/read-calendar.ts';
import { inSlices } from '../../../lib/in-slices.ts';
import { wallTime } from '../../../lib/zoned-time.ts';

const MAX_EVENTS = 5000;
/** Limit while a calendar is in force: for one file, and for all rules together. */
export const MAX_OCCURRENCES = 20_000;
export const DAY_MS = 86_400_000;
/** A calendar is in force from yesterday to this many days ahead (contract 26.9). */
export const DAYS_AHEAD = 400;

export interface ImportedCalendar {
  readonly packed: string;
  readonly events: readonly CalendarEvent[];
  readonly occurrences: readonly Occurrence[];
  readonly skipped: readonly SkippedEvent[];
}

/** Reads a file and packs it for storage; other requests are served in between. */
export async function readCalendarFile(
  text: string,
  timezone: string,
  now: number,
): Promise<ImportedCalendar> {
  const { events, skipped, tooMany } = await inSlices(readCalendarSteps(text, { maxEvents: MAX_EVENTS }));
  if (tooMany !== undefined) throw new InvalidFields(`ics: ${tooMany}`, ['ics']);
  if (events.length === 0) {
    const [first] = skipped;
    const why = first ? `; the first of ${skipped.length} is skipped: ${first.reason}` : '';
    throw new InvalidFields(`ics: it has no event that can be read${why}`, ['ics']);
  }
  const window = windowAt(now, timezone);
  const occurrences = await inSlices(
    expandSteps(events, { ...window, timezone, maxOccurrences: MAX_OCCURRENCES }),
  );
  if (!occurrences)
    throw new InvalidFields(`ics: more than ${MAX_OCCURRENCES} occurrences in ${DAYS_AHEAD} days`, ['ics']);
  return { packed: await pack(events), events, occurrences, skipped };
}

const zip = promisify(gzip);

/** Small enough to be kept in the record itself. */
const pack = async (events: readonly CalendarEvent[]): Promise<string> =>
  (await zip(JSON.stringify(events))).toString('base64');

export const unpack = (packed: string): CalendarEvent[] =>
  JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()) as CalendarEvent[];

/** Number of entries to check for any day, whether or not something takes place. */
export const sizeOf = (events: readonly CalendarEvent[]): number =>
  events.reduce((sum, { without = [], also = [] }) => sum + 1 + without.length + also.length, 0);

/** From the beginning of yesterday. */
export function windowAt(now: number, timezone: string, daysAhead = DAYS_AHEAD) {
  const wall = wallTime(now, timezone);
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS - (wall - now);
  return { from: midnight - DAY_MS, to: midnight + daysAhead * DAY_MS };
}
