import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { StoredCalendar } from './calendar-expansion.ts';
import { readCalendarFile } from './calendar-file.ts';
import { createCalendars } from './calendars.ts';

const ZONE = 'Europe/Berlin';
const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-05-04T08:11:00Z');

const file = (...events: readonly string[][]) =>
  events.map((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT', ''].join('\r\n')).join('');
const daily = (count: number, since: string) =>
  Array.from({ length: count }, (_, at) => [
    `DTSTART:${since}T${String(at % 24).padStart(2, '0')}${at < 24 ? '00' : '30'}00Z`,
    'DURATION:PT5M',
    'RRULE:FREQ=DAILY',
  ]);
const stored = async (text: string): Promise<StoredCalendar> => ({
  packed: (await readCalendarFile(text, ZONE, NOW)).packed,
  timezone: ZONE,
});
const reach = (ranges: readonly (readonly [number, number])[]) =>
  (ranges.at(-1)?.[1] ?? 0) - (ranges[0]?.[0] ?? 0);

test('when too many ranges come into force, every rule reaches less far ahead, and each still counts', async () => {
  const calendars = createCalendars();
  // None of it is in force on import.
  const rules = await Promise.all([10, 20, 30].map((count) => stored(file(...daily(count, '20280101')))));
  const later = Date.parse('2028-06-01T00:00:00Z');
  await calendars.ready(rules, later);
  const ranges = rules.map(({ packed }) => calendars.rangesAt(packed, ZONE, later));
  expect(ranges.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(20_000);
  for (const one of ranges) {
    expect(reach(one)).toBeGreaterThan(190 * DAY_MS);
    expect(reach(one)).toBeLessThan(210 * DAY_MS);
  }
});

test('a calendar with too much even for one day closes nothing, and those before it still count', async () => {
  const calendars = createCalendars();
  const long = Array.from({ length: 100 }, () => [
    'DTSTART;VALUE=DATE:20280101',
    'DURATION:P300D',
    'RRULE:FREQ=DAILY',
  ]);
  const rules = [await stored(file(...daily(1, '20280101'))), await stored(file(...long))];
  const later = Date.parse('2029-06-01T00:00:00Z');
  await calendars.ready(rules, later);
  expect(rules.map(({ packed }) => calendars.rangesAt(packed, ZONE, later).length > 0)).toEqual([
    true,
    false,
  ]);
});

test('a calendar that is not prepared yet gives the same ranges', async () => {
  const { packed } = await stored(file(...daily(2, '20260101')));
  const [asked, prepared] = [createCalendars(), createCalendars()];
  await prepared.ready([{ packed, timezone: ZONE }], NOW);
  expect(asked.rangesAt(packed, ZONE, NOW)).toEqual(prepared.rangesAt(packed, ZONE, NOW));
});

test('the ranges of a recent day are used until today is ready, and each day is expanded anew', async () => {
  const calendars = createCalendars();
  const rule = await stored(file(...daily(1, '20260101')));
  await calendars.ready([rule], NOW);
  const first = calendars.rangesAt(rule.packed, ZONE, NOW);
  const next = NOW + DAY_MS;
  expect(calendars.rangesAt(rule.packed, ZONE, next)).toBe(first);
  await calendars.ready([rule], next);
  expect(calendars.rangesAt(rule.packed, ZONE, next).at(-1)?.[0]).toBe((first.at(-1)?.[0] ?? 0) + DAY_MS);
});

test('the ranges of today are kept, however many days are asked for, but not those of removed rules', async () => {
  const calendars = createCalendars();
  const rule = await stored(file(...daily(1, '20260101')));
  await calendars.ready([rule], NOW);
  const today = calendars.rangesAt(rule.packed, ZONE, NOW);
  for (let month = 1; month < 20; month++) {
    await calendars.ready([rule], NOW);
    await calendars.ready([rule], NOW + month * 28 * DAY_MS);
  }
  expect(calendars.rangesAt(rule.packed, ZONE, NOW)).toBe(today);
  await calendars.ready([], NOW);
  expect(calendars.rangesAt(rule.packed, ZONE, NOW)).not.toBe(today);
});

test('expanding calendars lets other work run in between, and asking again expands nothing anew', async () => {
  const calendars = createCalendars();
  const rules = await Promise.all([10, 12, 13, 14].map((count) => stored(file(...daily(count, '20200101')))));
  let [isReady, turns] = [false, 0];
  const waiting = Promise.all([calendars.ready(rules, NOW), calendars.ready(rules, NOW)]).then(() => {
    isReady = true;
  });
  while (!isReady) {
    await setImmediate();
    turns++;
  }
  await waiting;
  expect(turns).toBeGreaterThan(1);
  const before = calendars.revision();
  await calendars.ready(rules, NOW);
  expect(calendars.revision()).toBe(before);
});
