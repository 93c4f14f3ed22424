import { expect, test } from 'vitest';
import { readWall } from '../../../ui/wall-time.tsx';
import { daysOf, isDate, secondsSince, wallNow } from './call-range.ts';

const BERLIN = 'Europe/Berlin';
const NONE = { from: '', to: '' };

test('days are those of the exchange, not of the browser', () => {
  const lateEvening = Date.parse('2026-11-17T23:30:00Z');
  expect(daysOf('today', NONE, lateEvening, BERLIN)).toEqual({ from: '2026-11-18', to: '2026-11-18' });
  expect(daysOf('yesterday', NONE, lateEvening, BERLIN)).toEqual({ from: '2026-11-17', to: '2026-11-17' });
  expect(daysOf('7d', NONE, lateEvening, BERLIN)).toEqual({ from: '2026-11-12', to: '2026-11-18' });
  expect(daysOf('30d', NONE, lateEvening, 'America/New_York')).toEqual({
    from: '2026-10-19',
    to: '2026-11-17',
  });
});

test('an invalid date in a custom range leaves that end open', () => {
  expect(daysOf('own', { from: '2026-02-30', to: '2026-03-01' }, 0, BERLIN)).toEqual({
    from: '',
    to: '2026-03-01',
  });
  expect(['2026-1-1', '', 'today', '2026-13-01'].filter(isDate)).toEqual([]);
});

test('a running time is correct across a change of clocks', () => {
  // At 03:00, clocks went back to 02:00: from 01:30 to 03:00 on the wall clock, two and a half hours passed.
  const now = Date.parse('2026-10-25T02:00:00Z');
  expect(secondsSince('2026-10-25 03:00:00.000', now, BERLIN)).toBe(0);
  expect(secondsSince('2026-10-25 01:30:00.000', now, BERLIN)).toBe(9000);
  expect(secondsSince('2026-10-25 04:00:00.000', now, BERLIN)).toBe(0);
  expect(secondsSince('nonsense', now, BERLIN)).toBe(0);
});

test('midnight is hour 0, and a time is read as written', () => {
  const midnight = Date.parse('2026-11-17T23:00:00Z');
  expect(new Date(wallNow(midnight, BERLIN)).toISOString()).toBe('2026-11-18T00:00:00.000Z');
  expect(readWall('2026-11-18 00:00:00.500')).toBe(Date.parse('2026-11-18T00:00:00.500Z'));
  expect(readWall('')).toBeUndefined();
});
