import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localDateTime } from '../local-time.ts';
import { expandEvents, joinRanges } from './expand.ts';
import { readCalendar } from './read-calendar.ts';

const ZONE = 'Europe/Berlin';
const calendar = (...events: string[][]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

const read = (text: string) => readCalendar(text, { maxEvents: 5000 });

/** Local times of occurrences in 2026, `from to`, or the reason why there are none. */
function year(...lines: string[]): string[] {
  const { events, skipped } = read(calendar(lines));
  if (skipped[0]) return [`skipped: ${skipped[0].reason}`];
  const found = expandEvents(events, {
    from: Date.UTC(2026, 0, 1),
    to: Date.UTC(2027, 0, 1),
    timezone: ZONE,
    maxOccurrences: 1000,
  });
  const shown = (at: number) => localDateTime(at, ZONE).slice(5, 16);
  return (found ?? []).map(({ from, to }) => `${shown(from)} ${shown(to)}`);
}
const days = (...lines: string[]) => year(...lines).map((text) => text.slice(0, 5));

test.each<[string, string[], string[]]>([
  ['a day', ['DTSTART;VALUE=DATE:20260501'], ['05-01 00:00 05-02 00:00']],
  [
    'a day that ends on itself',
    ['DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260501'],
    ['05-01 00:00 05-02 00:00'],
  ],
  ['days', ['DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260504'], ['05-01 00:00 05-04 00:00']],
  ['a time in UTC', ['DTSTART:20260501T100000Z', 'DTEND:20260501T113000Z'], ['05-01 12:00 05-01 13:30']],
  [
    'a time of a zone',
    ['DTSTART;TZID=America/New_York:20260501T100000', 'DTEND;TZID=America/New_York:20260501T113000'],
    ['05-01 16:00 05-01 17:30'],
  ],
  [
    'a zone behind the name of a program',
    ['DTSTART;TZID="/example.org/20260101/America/New_York":20260501T100000', 'DURATION:PT1H'],
    ['05-01 16:00 05-01 17:00'],
  ],
  ['a time of no zone', ['DTSTART:20260501T100000', 'DURATION:PT90M'], ['05-01 10:00 05-01 11:30']],
  [
    'a length in days, over the change of clocks',
    ['DTSTART:20260328T120000', 'DURATION:P1D'],
    ['03-28 12:00 03-29 12:00'],
  ],
  [
    'a length in hours, over the change of clocks',
    ['DTSTART:20260328T120000', 'DURATION:PT24H'],
    ['03-28 12:00 03-29 13:00'],
  ],
  [
    'seconds count by whole minutes',
    ['DTSTART:20260501T100030', 'DURATION:PT2M'],
    ['05-01 10:01 05-01 10:03'],
  ],
  [
    'what began before',
    ['DTSTART;VALUE=DATE:20251230', 'DTEND;VALUE=DATE:20260103'],
    ['12-30 00:00 01-03 00:00'],
  ],
  ['a folded line', ['DTSTART;VALUE=D', ' ATE:202605', '\t01'], ['05-01 00:00 05-02 00:00']],
  [
    'an alarm inside',
    [
      'BEGIN:VALARM',
      'DURATION:PT9H',
      'DTSTART:19000101',
      'END:VALARM',
      'DTSTART:20260501T100000Z',
      'DURATION:PT1H',
    ],
    ['05-01 12:00 05-01 13:00'],
  ],
  ['cancelled', ['DTSTART:20260501', 'STATUS:CANCELLED'], ['skipped: cancelled']],
  [
    'transparent',
    ['DTSTART:20260501', 'TRANSP:TRANSPARENT'],
    ['skipped: does not take up time (TRANSPARENT)'],
  ],
  ['no start', ['SUMMARY:x'], ['skipped: has no start']],
  ['no length', ['DTSTART:20260501T100000'], ['skipped: has no duration']],
  ['ends first', ['DTSTART:20260502', 'DTEND:20260501'], ['skipped: ends before it begins']],
  ['no day', ['DTSTART:20260230'], ['skipped: not a date or time: 20260230']],
  ['another century', ['DTSTART:00010101'], ['skipped: the year 0001']],
  ['unknown zone', ['DTSTART;TZID=Moon/Base:20260501T100000'], ['skipped: no such time zone: Moon/Base']],
  [
    'one occurrence of another',
    ['DTSTART:20260501', 'RECURRENCE-ID:20260501'],
    ['skipped: changes one occurrence of another event'],
  ],
  [
    'a period',
    ['DTSTART:20260501', 'RDATE;VALUE=PERIOD:20260501T100000Z/PT1H'],
    ['skipped: a time is given as a period'],
  ],
])('an event of a calendar: %s', (_, lines, expected) => expect(year(...lines)).toEqual(expected));

test.each<[string, string[], string[]]>([
  ['RRULE:FREQ=DAILY;COUNT=3', [], ['05-01', '05-02', '05-03']],
  ['RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3', [], ['05-01', '05-03', '05-05']],
  ['RRULE:FREQ=DAILY;UNTIL=20260503', [], ['05-01', '05-02', '05-03']],
  ['RRULE:FREQ=DAILY;UNTIL=20260503T000000Z', [], ['05-01', '05-02', '05-03']],
  ['RRULE:FREQ=DAILY;BYDAY=SA,SU;COUNT=4', [], ['05-01', '05-02', '05-03', '05-09']],
  ['RRULE:FREQ=WEEKLY;COUNT=3', [], ['05-01', '05-08', '05-15']],
  ['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;COUNT=4', [], ['05-01', '05-11', '05-15', '05-25']],
  ['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,FR;WKST=SU;COUNT=3', [], ['05-01', '05-10', '05-15']],
  ['RRULE:FREQ=MONTHLY;COUNT=3', [], ['05-01', '06-01', '07-01']],
  ['RRULE:FREQ=MONTHLY;BYMONTHDAY=1;COUNT=2', [], ['05-01', '06-01']],
  [
    'RRULE:FREQ=MONTHLY;INTERVAL=7;BYDAY=TU',
    [],
    ['05-01', '05-05', '05-12', '05-19', '05-26', '12-01', '12-08', '12-15', '12-22', '12-29'],
  ],
  ['RRULE:FREQ=YEARLY', [], ['05-01']],
  ['RRULE:FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1', [], ['05-01']],
  ['RRULE:FREQ=DAILY;COUNT=4', ['EXDATE;VALUE=DATE:20260502,20260503'], ['05-01', '05-04']],
  ['RDATE;VALUE=DATE:20260601,20260701', [], ['05-01', '06-01', '07-01']],
  ['RRULE:FREQ=HOURLY', [], ['skipp']],
  ['RRULE:FREQ=MONTHLY;BYDAY=1MO', [], ['skipp']],
  ['RRULE:FREQ=YEARLY;BYMONTH=6', [], ['skipp']],
  ['RRULE:FREQ=YEARLY;BYSETPOS=1', [], ['skipp']],
  ['RRULE:FREQ=DAILY;INTERVAL=0', [], ['skipp']],
  ['RRULE:FREQ=DAILY;COUNT=99999', [], ['skipp']],
])('%s %s from Friday 1 May on', (rule, more, expected) =>
  expect(days('DTSTART;VALUE=DATE:20260501', rule, ...more)).toEqual(expected),
);

test('a series that began long ago goes on at the local times of its zone', () => {
  expect(year('DTSTART;VALUE=DATE:20201225', 'DTEND;VALUE=DATE:20201227', 'RRULE:FREQ=YEARLY')).toEqual([
    '12-25 00:00 12-27 00:00',
  ]);
  const daily = year('DTSTART;TZID=Europe/Berlin:20200101T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY');
  expect(daily.length).toBe(365);
  expect(new Set(daily.map((text) => text.slice(6, 11)))).toEqual(new Set(['09:00']));
  expect(year('DTSTART;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY')).toEqual([]);
  expect(days('DTSTART;VALUE=DATE:20250131', 'RRULE:FREQ=MONTHLY')).toEqual([
    '01-31',
    '03-31',
    '05-31',
    '07-31',
    '08-31',
    '10-31',
    '12-31',
  ]);
  expect(days('DTSTART:19000102', 'RRULE:FREQ=DAILY;COUNT=10000')).toEqual([]);
  expect(days('DTSTART:20250701', 'RRULE:FREQ=MONTHLY;COUNT=8')).toEqual(['01-01', '02-01']);
});

test('an EXDATE counts whatever zone it is written in', () => {
  const series = ['DTSTART;TZID=Europe/Berlin:20260501T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3'];
  expect(days(...series, 'EXDATE:20260502T070000Z')).toEqual(['05-01', '05-03']);
  expect(days(...series, 'EXDATE;TZID=Europe/Berlin:20260503T090000')).toEqual(['05-01', '05-02']);
});

test('a skipped event is named with its reason, and the other events count', () => {
  const { events, skipped, tooMany } = read(
    calendar(
      ['UID:a@x', 'SUMMARY:Team\\, day\\nout', 'DTSTART:20260501', 'STATUS:cancelled'],
      ['UID:b@x', 'SUMMARY:Labour Day', 'DTSTART:20260501'],
    ),
  );
  expect(skipped).toEqual([{ uid: 'a@x', summary: 'Team, day out', reason: 'cancelled' }]);
  expect(events.map(({ summary }) => summary)).toEqual(['Labour Day']);
  expect(tooMany).toBe(undefined);
});

test('more events, or more occurrences, than allowed are not read', () => {
  const day = ['DTSTART:20260501', 'RRULE:FREQ=DAILY'];
  expect(readCalendar(calendar(day, day, day), { maxEvents: 2 }).tooMany).toBe('at most 2 events');
  const { events } = read(calendar(day));
  const options = { from: Date.UTC(2026, 4, 1), to: Date.UTC(2027, 4, 1), timezone: ZONE };
  expect(expandEvents(events, { ...options, maxOccurrences: 100 })).toBe(undefined);
  const all = expandEvents(events, { ...options, maxOccurrences: 1000 }) ?? [];
  expect(joinRanges(all)).toHaveLength(1);
});

test('reading and expanding a file never fails, whatever it contains', () => {
  const piece = fc.constantFrom(
    'DTSTART',
    'DTEND',
    'RRULE',
    ':',
    ';',
    '=',
    'TZID',
    'Europe/Berlin',
    '20260501',
    'T100000',
    'Z',
    '\r\n',
    '\n ',
    'FREQ=DAILY',
    'BYDAY=MO',
    'COUNT=3',
    'UNTIL=20260601',
    'DURATION:PT1H',
    'EXDATE',
    'BEGIN:VEVENT',
    'END:VEVENT',
    '"',
    ',',
    'P',
    '-',
    '\0',
  );
  const text = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 60 });
  fc.assert(
    fc.property(text, (pieces) => {
      const { events } = read(`BEGIN:VEVENT\nDTSTART:20260501\n${pieces.join('')}\nEND:VEVENT`);
      const options = {
        from: Date.UTC(2026, 0, 1),
        to: Date.UTC(2027, 0, 1),
        timezone: ZONE,
        maxOccurrences: 2000,
      };
      for (const { from, to } of expandEvents(events, options) ?? []) expect(from).toBeLessThan(to);
    }),
    { numRuns: 500 },
  );
});
