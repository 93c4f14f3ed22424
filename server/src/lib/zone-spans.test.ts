import fc from 'fast-check';
import { expect, test } from 'vitest';
import { zoneOffset } from './local-time.ts';
import { zoneName } from './zone-names.ts';
import { createZoneClock, instantAt, instantIn, offsetSpans } from './zone-spans.ts';

const DAY_MS = 86_400_000;
// Two of them skipped a whole day, one changes its clocks by half an hour, one around Ramadan, which moves.
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Asia/Kathmandu',
];
const zone = fc.constantFrom(...ZONES);
const moment = fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2200, 0) });

test('the spans of a zone follow each other without a gap and have the offset of each of their moments', () => {
  const stretch = fc.tuple(moment, fc.integer({ min: 1, max: 800 * DAY_MS }));
  fc.assert(
    fc.property(
      zone,
      stretch,
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (name, [from, lasts], places) => {
        const spans = offsetSpans(name, from, from + lasts);
        expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([from, from + lasts]);
        for (const [at, span] of spans.slice(1).entries()) {
          expect(span.from).toBe(spans[at]?.to);
          expect(span.offsetMs).not.toBe(spans[at]?.offsetMs);
        }
        for (const place of places) {
          const at = from + Math.floor(place * lasts);
          expect(spans.find(({ to }) => at < to)?.offsetMs).toBe(zoneOffset(at, name));
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('the moment of a wall-clock time does not depend on the window that is searched', () => {
  fc.assert(
    fc.property(zone, moment, (name, wall) => {
      const wide = instantIn(offsetSpans(name, wall - 500 * DAY_MS, wall + 500 * DAY_MS), wall);
      const near = createZoneClock(name, wall - DAY_MS, wall + DAY_MS);
      const elsewhere = createZoneClock(name, wall + 100 * DAY_MS, wall + 101 * DAY_MS);
      expect([instantAt(name, wall), near.instant(wall), elsewhere.instant(wall)]).toEqual([
        wide,
        wide,
        wide,
      ]);
      const shown = wall + zoneOffset(wall, name);
      expect([near.wall(wall), elsewhere.wall(wall)]).toEqual([shown, shown]);
    }),
    { numRuns: 300 },
  );
});

test('a zone has one name, however it is spelled', () => {
  expect(['europe/BERLIN', 'Europe/Berlin'].map(zoneName)).toEqual(['Europe/Berlin', 'Europe/Berlin']);
  expect(zoneName('Asia/Kolkata')).toBe(zoneName('asia/calcutta'));
  expect(['etc/utc', 'Zulu', 'UTC'].map(zoneName)).toEqual(['UTC', 'UTC', 'UTC']);
  expect(['', 'Moon/Base', '+01:00', 'x'.repeat(70)].map(zoneName)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
