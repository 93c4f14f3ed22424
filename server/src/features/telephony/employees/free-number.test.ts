import { expect, test } from 'vitest';
import { freeNumber } from './free-number.ts';

const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

test.each([
  ['nobody yet', [], 3, '200'],
  ['nobody of that length', ['20', '2000'], 3, '200'],
  ['two digits', [], 2, '20'],
  ['eight digits', [], 8, '20000000'],
  ['the lowest is followed by a gap', ['305', '300', '301'], 3, '302'],
  ['a leading zero is no number to count from', ['007'], 3, '200'],
  ['all above the lowest are taken', upTo(990, 999), 3, '100'],
  ['all are taken', upTo(10, 99), 2, ''],
])('%s', (_, used, length, free) => {
  expect(freeNumber(used, length)).toBe(free);
});

test('numbers held by others are not proposed and do not decide where proposals start', () => {
  expect(freeNumber([], 3, ['112', '200'])).toBe('201');
  expect(freeNumber(['111'], 3, ['112', '911'])).toBe('113');
  expect(freeNumber(['300', '301'], 3, ['112', '302'])).toBe('303');
});
