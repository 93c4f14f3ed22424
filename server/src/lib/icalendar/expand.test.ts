import { expect, test } from 'vitest';
import { localDateTime } from '../local-time.ts';
import { expandEvents } from './expand.ts';
import { readCalendar } from './read-calendar.ts';

const DAY_MS = 86_400_000;
const ZONE = 'Europe/Berlin';

const read = (lines: readonly string[]) =>
  readCalendar(['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n'), { maxEvents: 5000 }).events;

/** What is known of an event on each of these days, as the daily renewal asks: `from to`, each answer once. */
function seenDaily(first: string, last: string, ...lines: string[]): string[] {
  const events = read(lines);
  const seen = new Set<string>();
  const shown = (at: number) => localDateTime(at, ZONE).slice(5, 16);
  for (let day = Date.parse(`${first}T05:00:00Z`); day <= Date.parse(`${last}T05:00:00Z`); day += DAY_MS) {
    const options = { from: day - DAY_MS, to: day + 400 * DAY_MS, timezone: ZONE, maxOccurrences: 1000 };
    for (const { from, to } of expandEvents(events, options) ?? []) seen.add(`${shown(from)} ${shown(to)}`);
  }
  return [...seen];
}

test.each<[string, string, string, string[], string]>([
  [
    'autumn holidays',
    '2026-09-01',
    '2026-11-03',
    ['DTSTART;TZID=Europe/Berlin:20261023T180000', 'DTEND;TZID=Europe/Berlin:20261102T080000'],
    '10-23 18:00 11-02 08:00',
  ],
  [
    'spring holidays',
    '2026-03-01',
    '2026-04-08',
    ['DTSTART;TZID=Europe/Berlin:20260320T180000', 'DTEND;TZID=Europe/Berlin:20260407T080000'],
    '03-20 18:00 04-07 08:00',
  ],
  [
    'a length in hours',
    '2026-10-01',
    '2026-11-03',
    ['DTSTART;TZID=Europe/Berlin:20261023T180000', 'DURATION:PT231H'],
    '10-23 18:00 11-02 08:00',
  ],
  [
    'of no zone',
    '2026-10-01',
    '2026-11-03',
    ['DTSTART:20261023T180000', 'DURATION:PT231H'],
    '10-23 18:00 11-02 08:00',
  ],
  [
    'more than a year ago',
    '2026-10-20',
    '2026-11-03',
    ['DTSTART;TZID=Europe/Berlin:20250101T180000', 'DTEND;TZID=America/New_York:20261101T020000'],
    '01-01 18:00 11-01 08:00',
  ],
])(
  'a timed event over a change of clocks begins and ends at the same times on every day: %s',
  (_, first, last, lines, expected) => {
    expect(seenDaily(first, last, ...lines)).toEqual([expected]);
  },
);
