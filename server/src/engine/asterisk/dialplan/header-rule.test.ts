import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HeaderRule } from '../../desired-state.ts';
import { readNumber } from './header-rule.ts';

const rule = (fields: Partial<HeaderRule>): HeaderRule => ({
  source: 'from',
  customHeader: '',
  parserStart: '',
  parserEnd: '',
  parserRegex: '',
  ...fields,
});

const patternOf = (steps: readonly string[]): string =>
  decodeURIComponent(/URIDECODE\(([^)]*)\)/.exec(steps[1] ?? '')?.[1] ?? '');

/** Reads as the engine does: without `"` and `\`, the first group, only what can be dialled. */
function read(fields: Partial<HeaderRule>, header: string): string {
  const pattern = patternOf(readNumber('X', rule(fields)))
    .replaceAll('[[:space:]]', '\\s')
    .replaceAll('[^[:space:]]', '\\S')
    .replaceAll('[]]', '\\]')
    .replaceAll('[^]]', '[^\\]]');
  const found = new RegExp(pattern).exec(header.replace(/["\\]/g, ''))?.[1] ?? '';
  return found.replace(/[^0-9+*#]/g, '');
}

test('the default leaves the number to the engine', () =>
  expect(readNumber('X', rule({ source: 'default' }))).toEqual([]));

test('a header with an impossible name is not read', () => {
  expect(readNumber('X', rule({ source: 'custom', customHeader: 'X-Did' }))).toHaveLength(5);
  for (const customHeader of ['', 'X Did', 'X),Set(', '${X}'])
    expect(readNumber('X', rule({ source: 'custom', customHeader }))).toEqual([]);
});

test.each<[string, Partial<HeaderRule>, string, string]>([
  ['the user of the address', {}, '"sip:666 x" <sip:+4930123@provider.example>;tag=1', '+4930123'],
  ['the number of a tel address', {}, '<tel:+4930123;phone-context=x>', '+4930123'],
  ['what stands between two texts', { parserStart: 'num=', parserEnd: ';' }, 'a=1;num=203;x', '203'],
  ['what follows a text', { parserStart: '<sip:+' }, '<sip:+4930123', '4930123'],
  ['the group of a pattern', { parserRegex: 'sip:(\\d{3})\\d*@' }, '<sip:2039@x>', '203'],
  ['a pattern without a group', { parserRegex: '/\\+\\d+/i' }, 'x +49301 y', '+49301'],
  ['the first group that takes something', { parserRegex: '(?:sip:)(?<n>\\d+)' }, 'sip:203', '203'],
  ['classes in classes', { parserRegex: 'did=([\\d\\-]+)' }, 'did=20-3', '203'],
  ['brackets and dots as themselves', { parserStart: '(a.b[', parserEnd: ']' }, 'x (a.b[77]', '77'],
])('a rule reads %s', (_, fields, header, number) => expect(read(fields, header)).toBe(number));

test('contract 17.9: a pattern without bound is not used at all, whoever stored it', () => {
  for (const parserRegex of ['((a+)+)+', '(\\d*)*', '((a{1,255}){1,255})', 'a|b', '(a)\\1', '.*.*.*'])
    expect(readNumber('X', rule({ parserRegex }))).toEqual([]);
});

test('no pattern breaks out of the quotes of its expression', () =>
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.string(),
      (parserRegex, parserStart, parserEnd) => {
        const steps = readNumber('X', rule({ parserRegex, parserStart, parserEnd }));
        expect(patternOf(steps)).not.toMatch(/["\\]/);
        expect(steps.join('')).not.toMatch(/[\r\n;]/);
      },
    ),
  ));
