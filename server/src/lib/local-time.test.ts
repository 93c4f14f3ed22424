import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoWithOffset, localDateTime, zoneOffset } from './local-time.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Monrovia',
];
const SPRING = Date.UTC(2026, 2, 29, 1);
const AUTUMN = Date.UTC(2026, 9, 25, 1);
const instant = fc.oneof(
  fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2100, 0) }),
  fc.tuple(fc.constantFrom(SPRING, AUTUMN), fc.integer({ min: -9e5, max: 9e5 })).map(([at, off]) => at + off),
);

test('a time is written as the local time of its zone, even around missing or doubled hours', () => {
  fc.assert(
    fc.property(instant, fc.constantFrom(...ZONES), (at, timeZone) => {
      const told = new Date(at).toLocaleString('sv-SE', { timeZone });
      expect(localDateTime(at, timeZone)).toBe(told);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['Europe/Berlin', SPRING - 1, '2026-03-29T01:59:59+01:00'],
  ['Europe/Berlin', SPRING, '2026-03-29T03:00:00+02:00'],
  ['Europe/Berlin', AUTUMN - 1, '2026-10-25T02:59:59+02:00'],
  ['Europe/Berlin', AUTUMN, '2026-10-25T02:00:00+01:00'],
  ['America/St_Johns', AUTUMN, '2026-10-24T22:30:00-02:30'],
])('in %s a time has the offset of its moment', (zone, at, text) => {
  expect(isoWithOffset(at, zone)).toBe(text);
});

test('years with fewer than four digits and years before the first have an offset too', () => {
  for (const year of [-50, 0, 50, 999])
    expect(zoneOffset(new Date(0).setUTCFullYear(year), 'Europe/Berlin')).toBe(53 * 60_000 + 28_000);
});
