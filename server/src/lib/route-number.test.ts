import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  callerKey,
  fitsPattern,
  fixedDigits,
  normalisedNumber,
  normalisedPrefix,
  overlap,
  readRouteNumber,
} from './route-number.ts';

const GERMANY = { countryCode: '49', nationalPrefix: '0', internationalPrefix: '00' };
/** Without a national prefix: domestic numbers are dialled in full. */
const ITALY = { countryCode: '39', nationalPrefix: '', internationalPrefix: '00' };
const NOWHERE = { ...GERMANY, countryCode: '' };

test.each([
  ['', 'any'],
  ['1', 'digits'],
  ['+4930111', 'digits'],
  ['_7495XXXXXXX', 'pattern'],
  ['7495XXX', 'pattern'],
  ['_1', 'pattern'],
  ['NXX', 'pattern'],
  ['[1-5]0.', 'pattern'],
  ['00!', 'pattern'],
  ['.', 'pattern'],
  ['sales', 'name'],
  ['Sales.EU', 'name'],
  ['a_1', 'name'],
  ['X.eu', 'name'],
  ...[
    '12;3',
    '_',
    '[1',
    '[]',
    '[5-1]',
    '[1-]',
    '1.2',
    '+',
    '1+2',
    '_sales',
    '_sal.es',
    '-',
    'a b',
    '*31#',
  ].map((text) => [text, undefined]),
])('contract 22.2: %j is a number of the kind %s', (text, kind) =>
  expect(readRouteNumber(text!)?.kind).toBe(kind),
);

test.each([
  ['030111', GERMANY, '4930111'],
  ['004930111', GERMANY, '4930111'],
  ['+4930111', GERMANY, '4930111'],
  ['4930111', GERMANY, '4930111'],
  ['30111', GERMANY, '30111'],
  ['030111', NOWHERE, '030111'],
  ['004930111', NOWHERE, '4930111'],
  ['0', GERMANY, '0'],
  ['00', GERMANY, '490'],
  ['00', NOWHERE, '00'],
  ['0612345', ITALY, '390612345'],
  ['+390612345', ITALY, '390612345'],
  ['00390612345', ITALY, '390612345'],
  ['390612345', ITALY, '390612345'],
  ['0612345', { ...ITALY, countryCode: '' }, '0612345'],
])('contract 22.3: %s is compared as the digits %s %s', (number, spelling, normalised) =>
  expect(normalisedNumber(number, spelling)).toBe(normalised),
);

test('the national prefix alone, as a beginning, stands for the whole country', () => {
  expect(normalisedPrefix('0', GERMANY)).toBe('49');
  expect(normalisedPrefix('030', GERMANY)).toBe('4930');
  expect(normalisedPrefix('0', NOWHERE)).toBe('0');
  expect(normalisedPrefix('39', ITALY)).toBe('39');
  expect(normalisedPrefix('06', ITALY)).toBe('3906');
});

test.each([
  ['0151 123', '49151123'],
  ['+49151123', '49151123'],
  ['', 'anonymous'],
  ['anonymous', 'anonymous'],
  ['Anonymous', 'anonymous'],
])('the caller %j is %s in lists of callers', (caller, key) => expect(callerKey(caller, GERMANY)).toBe(key));

const sign = fc.constantFrom('1', '2', 'X', 'Z', '[12]', '[3-9]');
const pattern = fc
  .tuple(fc.array(sign, { maxLength: 4 }), fc.constantFrom('', '.', '!'))
  .map(([signs, rest]) => readRouteNumber(`_${signs.join('')}${rest}`))
  .filter((read) => read?.kind === 'pattern');

test('two patterns overlap exactly if there is a number that fits both', () => {
  const numbers = ['', '1', '2', '3', '0'].reduce<string[]>(
    (all) => [
      ...new Set(all.flatMap((text) => ['0', '1', '2', '3'].map((digit) => text + digit)).concat(all)),
    ],
    [''],
  );
  fc.assert(
    fc.property(pattern, pattern, (one, other) => {
      const common = numbers.some((text) => fitsPattern(one, text) && fitsPattern(other, text));
      expect(overlap(one, other)).toBe(common);
    }),
    { numRuns: 300 },
  );
});

test('only fixed digits make a pattern closer', () => {
  const read = readRouteNumber('_74[1-5]X.');
  expect(read?.kind === 'pattern' && fixedDigits(read)).toBe(2);
});
