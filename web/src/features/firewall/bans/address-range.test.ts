import { expect, test } from 'vitest';
import { compareRanges, contains, parseRange } from './address-range.ts';

test.each([
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.0/24', '203.0.113.7', true],
  ['203.0.113.7', '203.0.113.0/24', false],
  ['203.0.113.0/25', '203.0.113.200', false],
  ['0.0.0.0/0', '203.0.113.7', true],
  ['2001:db8::/32', '2001:DB8:0:0::7', true],
  ['2001:db8::/32', '2001:db9::7', false],
  ['::/0', '203.0.113.7', false],
  ['::ffff:203.0.113.7', '::ffff:cb00:7107', true],
])('whether %s contains %s is %s', (outer, inner, expected) => {
  const [a, b] = [parseRange(outer), parseRange(inner)];
  expect(a && b && contains(a, b)).toBe(expected);
});

test.each([
  '',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.7/33',
  '203.0.113.7/',
  '1/2/3',
  ':',
  ':::',
  '1::2::3',
  '2001:db8',
  'g::1',
  '::1.2.3',
  '1:2:3:4:5:6:7:8:9',
])('a text that is not an address or range is not taken for one: %s', (text) => {
  expect(parseRange(text)).toBeUndefined();
});

test('addresses are sorted by number, IPv4 first', () => {
  const texts = ['2001:db8::2', '10.0.0.10', '10.0.0.9', '10.0.0.0/8', '2001:db8::1'];
  const sorted = texts.flatMap((text) => {
    const range = parseRange(text);
    return range ? [{ text, range }] : [];
  });
  sorted.sort((a, b) => compareRanges(a.range, b.range));
  expect(sorted.map(({ text }) => text)).toEqual([
    '10.0.0.0/8',
    '10.0.0.9',
    '10.0.0.10',
    '2001:db8::1',
    '2001:db8::2',
  ]);
});
