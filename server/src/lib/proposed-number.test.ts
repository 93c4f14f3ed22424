import { expect, test } from 'vitest';
import { proposedNumber } from './proposed-number.ts';

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at));

// contract 20.6
test.each([
  [2, 'none', [], '60'],
  [3, 'none', [], '600'],
  [4, 'none', [], '6000'],
  [8, 'none', [], '60000000'],
  [3, 'the first ones', ['600', '601', '603'], '602'],
  [3, 'those of another length', ['60', '6000'], '600'],
  [3, 'all from 6 on', range(600, 999), '100'],
  [3, 'all from 6 on and the lowest', [...range(600, 999), '100', '101'], '102'],
  [3, 'all but 599', [...range(600, 999), ...range(100, 598)], '599'],
  [2, 'all of two digits', range(10, 99), '100'],
  [2, 'all of two and the lowest of three digits', range(10, 105), '106'],
])('a free number is proposed for %i digits while %s are taken', (length, _, given, free) => {
  const taken = new Set(given);
  expect(proposedNumber(length, (number) => !taken.has(number))).toBe(free);
});
