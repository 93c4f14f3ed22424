import { describe, expect, test } from 'vitest';
import { readInstant, readInstantOrEarlier, readWallTime, wallText, wallTime } from './zoned-time.ts';

const berlin = 'Europe/Berlin';
const read = (text: string, zone = berlin) => {
  const moment = readWallTime(text, zone);
  return moment && [wallText(moment.wall), moment.spanMs];
};

describe('a time of the wall clock', () => {
  test.each([
    ['2026-03-01T10:11:12', '2026-03-01 10:11:12.000', 1000],
    ['2026-03-01 10:11:12', '2026-03-01 10:11:12.000', 1000],
    ['2026-03-01', '2026-03-01 00:00:00.000', 86_400_000],
    ['2026-03-01T10:11:12.5', '2026-03-01 10:11:12.500', 1],
    ['2026-03-01T10:11:12.123999', '2026-03-01 10:11:12.123', 1],
    ['2026-03-01T10:11:12Z', '2026-03-01 11:11:12.000', 1000],
    ['2026-03-01T10:11:12.250-05:00', '2026-03-01 16:11:12.250', 1],
    ['2026-03-01T10:11:12 02:00', '2026-03-01 09:11:12.000', 1000],
    ['2024-02-29', '2024-02-29 00:00:00.000', 86_400_000],
  ])('%s is read', (text, wall, spanMs) => {
    expect(read(text)).toEqual([wall, spanMs]);
  });

  test.each([
    '01.03.2026',
    '2026-02-29',
    '2026-04-31T00:00:00',
    '2026-03-01T24:00:00',
    '2026-03-01T10:60:00',
    '2026-03-01T10:11',
    '2026-03-01Z',
    '2026-03-01T10:11:12+15:00',
    '2026-03-01T10:11:12+02',
    ' 2026-03-01',
    '2026-3-1',
    '1772359200',
    'now',
    '',
  ])('"%s" is not read', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe('when clocks change', () => {
  test('both passes of the doubled hour show the same wall clock', () => {
    expect(read('2026-10-25T00:30:00Z')).toEqual(['2026-10-25 02:30:00.000', 1000]);
    expect(read('2026-10-25T01:30:00Z')).toEqual(['2026-10-25 02:30:00.000', 1000]);
    expect(read('2026-10-25T02:30:00+02:00')).toEqual(read('2026-10-25T02:30:00+01:00'));
  });

  test('the missing hour is skipped for instants and left as written for local times', () => {
    expect(read('2026-03-29T00:59:59Z')).toEqual(['2026-03-29 01:59:59.000', 1000]);
    expect(read('2026-03-29T01:00:00Z')).toEqual(['2026-03-29 03:00:00.000', 1000]);
    expect(read('2026-03-29T02:30:00')).toEqual(['2026-03-29 02:30:00.000', 1000]);
  });

  test('an instant before 1970 keeps its milliseconds', () => {
    expect(wallText(wallTime(-1, 'UTC'))).toBe('1969-12-31 23:59:59.999');
  });
});

describe('the moment that a time means', () => {
  test.each([
    ['2026-10-25T12:00:00Z', '2026-10-25T12:00:00Z'],
    ['2026-10-25T00:30:00Z', '2026-10-25T00:30:00Z'],
    ['2026-10-25T01:30:00Z', '2026-10-25T01:30:00Z'],
    ['2026-10-25T02:30:00+01:00', '2026-10-25T01:30:00Z'],
    ['2026-10-25T02:30:00 01:00', '2026-10-25T01:30:00Z'],
    ['2026-03-29T01:30:00.250+01:00', '2026-03-29T00:30:00.250Z'],
    ['2026-05-04T10:00:00-05:00', '2026-05-04T15:00:00Z'],
  ])('is exact for a time with an offset: %s', (text, expected) => {
    for (const zone of [berlin, 'UTC', 'America/New_York'])
      for (const read of [readInstant, readInstantOrEarlier])
        expect(read(text, zone)).toBe(Date.parse(expected));
  });

  test.each([
    ['2026-03-28T18:00:00', '2026-03-28T17:00:00Z'],
    ['2026-03-29T01:59:59', '2026-03-29T00:59:59Z'],
    ['2026-03-29T03:00:00', '2026-03-29T01:00:00Z'],
    ['2026-03-29', '2026-03-28T23:00:00Z'],
    ['2026-10-25', '2026-10-24T22:00:00Z'],
    ['2026-10-25T01:59:59', '2026-10-24T23:59:59Z'],
    ['2026-10-25T03:00:00', '2026-10-25T02:00:00Z'],
    ['2026-10-25T13:00:00', '2026-10-25T12:00:00Z'],
    ['2026-10-26', '2026-10-25T23:00:00Z'],
  ])(
    'follows the wall clock for a time without an offset, even next to a clock change: %s',
    (text, expected) => {
      expect(readInstant(text, berlin)).toBe(Date.parse(expected));
    },
  );

  test('is the first one for a doubled time, and shifted by the clock change for a missing time', () => {
    expect(readInstant('2026-10-25T02:30:00', berlin)).toBe(Date.parse('2026-10-25T00:30:00Z'));
    expect(readInstant('2026-03-29T02:30:00', berlin)).toBe(Date.parse('2026-03-29T01:30:00Z'));
  });

  test('is rather too early around a clock change if everything since then is requested', () => {
    expect(readInstantOrEarlier('2026-10-25T02:30:00', berlin)).toBe(Date.parse('2026-10-25T00:30:00Z'));
    expect(readInstantOrEarlier('2026-10-25T12:00:00', berlin)).toBe(Date.parse('2026-10-25T10:00:00Z'));
    expect(readInstantOrEarlier('2026-05-04T12:00:00', berlin)).toBe(Date.parse('2026-05-04T10:00:00Z'));
  });
});
