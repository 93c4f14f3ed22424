import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitsOutbound, readBeginnings } from '../../../lib/outbound-number.ts';
import { dialPatterns } from './dial-patterns.ts';

/** How the engine reads a pattern. */
function asExpression(pattern: string): RegExp {
  const meanings: Record<string, string> = {
    X: '[0-9]',
    Z: '[1-9]',
    N: '[2-9]',
    '!': '.*',
    '+': '\\+',
    '*': '\\*',
  };
  const signs = pattern.slice(1).match(/\[[^\]]*\]|./g) ?? [];
  return new RegExp(`^${signs.map((sign) => meanings[sign] ?? sign).join('')}$`);
}

const patternsOf = (beginsWith: string, restDigits: number) =>
  (readBeginnings(beginsWith) ?? []).flatMap((beginning) => dialPatterns(beginning, restDigits));

test.each([
  ['', -1, ['_[*#0-9]!', '_+!']],
  ['', 2, ['_XX', '_+XX']],
  ['', 0, []],
  ['(7|8)', 1, ['_7X', '_+7X', '_8X', '_+8X']],
  ['+1', -1, ['_+1!']],
  ['[0-9][1-9][2-9][0124-68]', 0, ['_XZN[0-24-68]', '_+XZN[0-24-68]']],
])('numbers that begin with %j and go on with %i digits have the patterns %j', (beginsWith, rest, patterns) =>
  expect(patternsOf(beginsWith, rest).map(({ pattern }) => pattern)).toEqual(patterns),
);

test('a pattern that is too long for the engine is split into several', () => {
  const patterns = patternsOf('[78]'.repeat(16), 20);
  expect(patterns.length).toBeGreaterThan(2);
  for (const { pattern } of patterns) expect(pattern.length).toBeLessThan(80);
  const number = `${'78'.repeat(8)}${'1'.repeat(20)}`;
  expect(patterns.filter(({ pattern }) => asExpression(pattern).test(number))).toHaveLength(1);
  expect(patternsOf('7'.repeat(64), 20)).toEqual([]);
});

test('the patterns of a route fit exactly the numbers that the route fits', () => {
  const place = fc.constantFrom('0', '7', '+', '*', 'X', 'Z', 'N', '[78]', '[0-478]');
  const sequence = fc.array(place, { maxLength: 4 }).map((places) => places.join(''));
  let fitting = 0;
  fc.assert(
    fc.property(
      fc.array(sequence, { maxLength: 3 }).map((choices) => choices.join('|')),
      fc.integer({ min: -1, max: 3 }),
      fc.string({ unit: fc.constantFrom(...'01278+*'), minLength: 1, maxLength: 8 }),
      (beginsWith, restDigits, number) => {
        const fits = fitsOutbound({ beginsWith, restDigits, trim: 0, prepend: '' }, number);
        const found = patternsOf(beginsWith, restDigits).filter(({ pattern }) =>
          asExpression(pattern).test(number),
        );
        if (fits) fitting++;
        // `+` alone is nobody's number.
        if (number !== '+' || restDigits < 0) expect(found.length > 0).toBe(fits);
        for (const { hasPlus } of found) expect(hasPlus).toBe(number.startsWith('+'));
      },
    ),
    { numRuns: 10_000 },
  );
  console.info(`10000 routes and numbers, ${fitting} of them fit`);
});
