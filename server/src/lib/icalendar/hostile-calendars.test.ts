import { expect, test } from 'vitest';
import { atOnce } from '../in-slices.ts';
import { expandEvents, expandSteps } from './expand.ts';
import { readCalendar, readCalendarSteps } from './read-calendar.ts';

const SERIES = ['DTSTART;TZID=Europe/Paris:20260501T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY'];
const ZONES = Intl.supportedValuesOf('timeZone');
const WINDOW = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 1, 5), timezone: 'Europe/Berlin' };

const file = (...events: readonly string[][]) =>
  events.map((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT', ''].join('\r\n')).join('');
const many = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));
const read = (text: string) => readCalendar(text, { maxEvents: 5000 });
const zoneAt = (at: number) => ZONES[at % ZONES.length] ?? '';

test.each<[string, string, string]>([
  [
    'zones of dates that are left out',
    file([...SERIES, ...many(500, (at) => `EXDATE;TZID=${zoneAt(at)}:20260701T090000`)]),
    'at most 20 time zones',
  ],
  [
    'zones of dates that are added',
    file([...SERIES, ...many(500, (at) => `RDATE;TZID=${zoneAt(at)}:20260701T090000`)]),
    'at most 20 time zones',
  ],
  [
    'zones of events',
    file(...many(21, (at) => [`DTSTART;TZID=${zoneAt(at)}:20260701T090000`, 'DURATION:PT1H'])),
    'at most 20 time zones',
  ],
  [
    'dates of all events together',
    file(...many(6, () => [...SERIES, `EXDATE:${many(1000, () => '20260701T090000Z').join()}`])),
    'at most 5000 dates in EXDATE and RDATE',
  ],
  [
    'dates of one event',
    file([...SERIES, ...many(47_000, () => 'RDATE;TZID=Europe/Rome:20260701T090000')]),
    'at most 5000 dates in EXDATE and RDATE',
  ],
])('a file that names too many %s is not read, and the bound is named', (_, text, tooMany) =>
  expect(read(text).tooMany).toBe(tooMany),
);

test('the largest allowed number of zones and dates is read', () => {
  const zones = many(19, (at) => `EXDATE;TZID=${zoneAt(at)}:20260701T090000`);
  const dates = (count: number) => `EXDATE:${many(count, () => '20260701T090000Z').join()}`;
  const { events, tooMany } = read(
    file([...SERIES, ...zones, dates(981)], ...many(4, () => [...SERIES, dates(1000)])),
  );
  expect([events.length, tooMany]).toEqual([5, undefined]);
});

test('different spellings of a zone count as one zone', () => {
  const name = 'america/argentina/buenos_aires';
  const spelled = (at: number) =>
    [...name]
      .map((sign, place) => (((at * 7919) >> place) & 1 && place < 31 ? sign.toUpperCase() : sign))
      .join('');
  const names = many(1000, spelled);
  expect(new Set(names).size).toBeGreaterThan(900);
  const { events, tooMany } = read(
    file([...SERIES, ...names.map((one) => `EXDATE;TZID=${one}:20260701T090000`)]),
  );
  expect(tooMany).toBe(undefined);
  const zones = events.flatMap(({ without = [] }) => without.map(({ zone }) => zone));
  expect([zones.length, new Set(zones).size]).toEqual([1000, 1]);
});

test('repetitions are counted up to a limit, beyond which events are skipped', () => {
  const counted = ['DTSTART:19000102T000000Z', 'DURATION:PT1M', 'RRULE:FREQ=YEARLY;BYDAY=MO;COUNT=10000'];
  const { events, skipped } = read(file(...many(100, () => counted)));
  expect(events.length).toBeGreaterThan(20);
  expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(['too many repetitions to count']));
});

test('occurrences in which no minute begins count against the bound too', () => {
  const { events } = read(
    file(...many(60, () => ['DTSTART:20200501T090001', 'DURATION:PT1S', 'RRULE:FREQ=DAILY'])),
  );
  expect(expandEvents(events, { ...WINDOW, maxOccurrences: 30_000 })).toEqual([]);
  expect(expandEvents(events, { ...WINDOW, maxOccurrences: 20_000 })).toBe(undefined);
});

const rules = [
  'FREQ=DAILY;INTERVAL=7;BYDAY=MO;COUNT=10000',
  'FREQ=YEARLY;INTERVAL=1000',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU',
];
const endless = rules.map((rule) => ['DTSTART:19000102T000000Z', 'DURATION:PT1M', `RRULE:${rule}`]);

test.each<[string, string, number]>([
  ['beginnings without an end', 'BEGIN:VEVENT\n'.repeat(50_000), 100],
  ['folds', `BEGIN:VEVENT\nDTSTART:2026\n${' 0501\n'.repeat(100_000)}END:VEVENT`, 200],
  ['lines of one event', `BEGIN:VEVENT\n${'UID:\n'.repeat(400_000)}END:VEVENT`, 800],
  ['lines that say nothing', 'x\n'.repeat(1_000_000), 2000],
  ['quotes', `BEGIN:VEVENT\nDTSTART${';X="'.repeat(100_000)}:20260501\nEND:VEVENT`, 0],
  ['escapes', `BEGIN:VEVENT\nSUMMARY:${'\\'.repeat(1_000_000)}\nDTSTART:20260501\nEND:VEVENT`, 0],
  ['rules', file(...many(1500, () => endless).flat()), 4500],
])('a hostile file is read to its end with pauses for other work: %s', (_, text, pauses) => {
  const steps = readCalendarSteps(text, { maxEvents: 5000 });
  let count = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) {
      const { events } = step.value;
      atOnce(expandSteps(events, { ...WINDOW, maxOccurrences: 20_000 }));
      break;
    }
    count++;
  }
  expect(count).toBeGreaterThanOrEqual(pauses);
});
