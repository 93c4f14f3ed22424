import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  coversOutbound,
  dialledOut,
  fitsOutbound,
  type OutboundNumberRule,
  readBeginnings,
} from './outbound-number.ts';

const rule = (text: string): OutboundNumberRule => {
  const [beginsWith = '', rest = '', trim = '', prepend = ''] = text.split('/');
  return { beginsWith, restDigits: Number(rest), trim: Number(trim), prepend };
};
const NO_FIT = 'no fit';
const PASSED_OVER = '';

/** Begins / rest / trim / prepend; the table of contract 23, and more. */
test.each([
  ['(7|8)/10/1/8', '79161234567', '89161234567'],
  ['(7|8)/10/1/8', '+79161234567', '89161234567'],
  ['(7|8)/10/1/8', '89161234567', '89161234567'],
  ['(7|8)/10/1/8', '7916123456', NO_FIT],
  ['00/-1/2/+', '0049301234', '+49301234'],
  ['00/-1/2/+', '00', PASSED_OVER],
  ['/-1/0/', '+49301234', '+49301234'],
  ['/-1/0/', '0301234', '0301234'],
  ['/-1/0/', '*100#', '*100#'],
  ['/10/0/7', '9161234567', '79161234567'],
  ['/10/0/7', '91612345678', NO_FIT],
  ['+1/10/0/', '+12125550100', '+12125550100'],
  ['+1/10/0/', '12125550100', NO_FIT],
  ['[89]X/0/0/', '81', '81'],
  ['[89]X/0/0/', '811', NO_FIT],
  ['7|8/-1/0/', '+8123', '+8123'],
  ['0(30|40)N/-1/1/49', '0302', '49302'],
  ['0(30|40)N/-1/1/49', '0301', NO_FIT],
  ['/-1/99/', '0301234', PASSED_OVER],
  ['*1/-1/1/', '*123', '123'],
  ['/3/0/', '1*3', NO_FIT],
])('contract 23.2 to 23.4: a route %s takes %s as %j', (text, number, out) => {
  const given = rule(text);
  expect(fitsOutbound(given, number) ? dialledOut(given, number) : NO_FIT).toBe(out);
});

test.each([
  'ABC',
  '(7',
  '7)',
  '7{3}',
  '.*',
  '((7))',
  '(7|)',
  '|7',
  '[]',
  '[8-7]',
  '[a]',
  '[7',
  'x',
  '(1|2)|3',
  '7 8',
])('contract 23.2: %j is not a valid beginning of numbers', (text) =>
  expect(readBeginnings(text)).toBeUndefined(),
);

test.each(['', '7', '(7)', '7|8', '(7|8)', '8(916|903)[0-4]', '+[78]XZN*#', '[1-357]'])(
  'contract 23.2: %j is a valid beginning of numbers',
  (text) => expect(readBeginnings(text)?.length).toBeGreaterThan(0),
);

test('more than 64 alternatives are refused', () => {
  expect(readBeginnings('(1|2)'.repeat(6))?.length).toBe(64);
  expect(readBeginnings('(1|2)'.repeat(7))).toBeUndefined();
});

test('whatever a route and a number contain, only digits, +, * and # are dialled', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 70 }),
    fc.string({ unit: fc.constantFrom(...'0178+*#XZN[]-()|'), maxLength: 64 }),
  );
  const number = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0178+*#') }));
  let fitting = 0;
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: -5, max: 25 }),
      fc.integer({ min: -2, max: 40 }),
      text,
      number,
      (beginsWith, restDigits, trim, prepend, dialled) => {
        const given = { beginsWith, restDigits, trim, prepend };
        if (fitsOutbound(given, dialled)) fitting++;
        expect(dialledOut(given, dialled)).toMatch(/^[0-9+*#]*$/);
      },
    ),
    { numRuns: 5000 },
  );
  console.info(`5000 routes and numbers, ${fitting} of them fit`);
});

test('a number fits exactly when it matches one of the alternatives as a regular expression', () => {
  const place = fc.constantFrom('0', '7', '8', '*', 'X', 'Z', 'N', '[78]', '[0-4]');
  const expression: Record<string, string> = { X: '[0-9]', Z: '[1-9]', N: '[2-9]', '*': '\\*' };
  const sequence = fc.array(place, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(sequence, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: -1, max: 3 }),
      fc.string({ unit: fc.constantFrom(...'0178*'), minLength: 1, maxLength: 7 }),
      fc.boolean(),
      (alternatives, restDigits, digits, hasPlus) => {
        const beginsWith = alternatives.map((places) => places.join('')).join('|');
        const written = alternatives.map((places) => places.map((sign) => expression[sign] ?? sign).join(''));
        const rest = restDigits < 0 ? '.*' : `[0-9]{${restDigits}}`;
        const given = { beginsWith, restDigits, trim: 0, prepend: '' };
        const expected = new RegExp(`^(${written.join('|')})${rest}$`).test(digits);
        expect(fitsOutbound(given, `${hasPlus ? '+' : ''}${digits}`)).toBe(expected);
      },
    ),
    { numRuns: 3000 },
  );
});

test('a route takes all numbers of another only if every number that fits the other fits it too', () => {
  const place = fc.constantFrom('0', '7', '+', '*', 'X', '[78]');
  const beginning = fc
    .array(
      fc.array(place, { maxLength: 3 }).map((places) => places.join('')),
      { maxLength: 2 },
    )
    .map((choices) => choices.join('|'));
  const rest = fc.integer({ min: -1, max: 2 });
  let taken = 0;
  fc.assert(
    fc.property(
      fc.tuple(beginning, rest),
      fc.tuple(beginning, rest),
      fc.array(fc.string({ unit: fc.constantFrom(...'078+*'), minLength: 1, maxLength: 5 }), {
        maxLength: 40,
      }),
      ([wideBegin, wideRest], [narrowBegin, narrowRest], numbers) => {
        const [wide, narrow] = [
          { beginsWith: wideBegin, restDigits: wideRest, trim: 0, prepend: '' },
          { beginsWith: narrowBegin, restDigits: narrowRest, trim: 0, prepend: '' },
        ];
        if (!coversOutbound(wide, narrow)) return;
        taken++;
        for (const number of numbers)
          if (fitsOutbound(narrow, number)) expect(fitsOutbound(wide, number)).toBe(true);
      },
    ),
    { numRuns: 20_000 },
  );
  console.info(`20000 pairs of routes, in ${taken} one takes all of the other`);
});

test.each([
  ['/-1', '7/10', true],
  ['00/-1', '0049/-1', true],
  ['0/3', '0[1-9]/2', true],
  ['X/-1', '/3', true],
  ['+49/-1', '49/-1', false],
  ['49/-1', '+49/-1', true],
  ['7/10', '7/-1', false],
  ['(7|8)/10', '[78]/10', false],
])('a route %s takes all numbers of %s: %s', (wide, narrow, expected) =>
  expect(coversOutbound(rule(`${wide}/0/`), rule(`${narrow}/0/`))).toBe(expected),
);
