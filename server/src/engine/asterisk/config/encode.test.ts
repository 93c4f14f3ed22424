import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostile } from './encode.suite.ts';
import {
  channelText,
  configSection,
  configValue,
  dialable,
  dialplanText,
  objectName,
  plainText,
  uriUser,
} from './encode.ts';
import { parseConfig } from './parse.suite.ts';

test('no value adds a line to a section or removes one', () => {
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 8 }), (values) => {
      const settings = values.map((value, index) => [`key_${index}`, value] as const);
      const parsed = parseConfig(configSection('one', settings) + configSection('two', []));
      expect(parsed.map(({ name }) => name)).toEqual(['one', 'two']);
      expect(parsed[0]?.settings.map(([key]) => key)).toEqual(settings.map(([key]) => key));
      expect(parsed[1]?.settings).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('an ordinary value is read back unchanged, even with semicolons and arrows', () => {
  for (const value of [
    'a;b',
    '> arrow',
    'back\\slash',
    'x\\;y',
    ';;',
    '\\',
    'ünïcode',
    'a = b',
    '[brackets]',
    '#hash',
  ])
    expect(parseConfig(configSection('s', [['k', value]]))[0]?.settings).toEqual([['k', value]]);
});

test('no value makes a line longer than the engine reads at once', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(Buffer.byteLength(configValue(text))).toBeLessThan(8000);
    }),
  );
});

test('invalid names of sections and keys are refused, not corrected', () => {
  for (const name of ['', 'a]', 'a\nb', 'a b', 'x'.repeat(80), '(!)', '#exec'])
    expect(() => objectName(name)).toThrow();
  expect(objectName('SIP-TRUNK-1.login0')).toBe('SIP-TRUNK-1.login0');
  expect(() => configSection('s', [['bad key', 'x']])).toThrow('no key');
});

test('the value of a channel variable is read back unchanged, even with quotes and backslashes', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const read = channelText(text).replace(/\\x(..)/g, (_, hex) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
      expect(read).toBe(plainText(text, 511));
      expect(channelText(text)).not.toMatch(/[;\n\r]/);
    }),
  );
});

test('dialplan text has no character that is evaluated or separates', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(dialplanText(text)).not.toMatch(/[$`"'\\;,(){}[\]<>|&\n\r]/);
      expect(dialable(text)).toMatch(/^[0-9+*#]{0,80}$/);
      expect(uriUser(text)).toMatch(/^[A-Za-z0-9+_.%-]*$/);
    }),
  );
});
