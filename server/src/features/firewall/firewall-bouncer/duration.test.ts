import { describe, expect, test } from 'vitest';
import { DURATION_FORMATS } from '../../../lib/bouncer-options.ts';
import { DURATION_WRITERS, durationText } from './duration.ts';

const AT = 1_777_000_000_123;

describe('contract 14.2: durations are whole seconds, rounded up, never below one', () => {
  test.each([
    [600_000, '600s'],
    [599_001, '600s'],
    [599_000, '599s'],
    [1000, '1s'],
    [1, '1s'],
    [0, '1s'],
    [-5, '1s'],
    [31_536_000_000, '31536000s'],
    [Infinity, '596h'],
  ])('%d ms left is %s', (left, text) => expect(durationText(AT + left, AT, 'seconds')).toBe(text));
});

describe('contract 17.20: durations as Go prints them, without and with a fraction', () => {
  test.each([
    [1, '1s', '1.5s'],
    [59, '59s', '59.5s'],
    [60, '1m0s', '1m0.5s'],
    [61, '1m1s', '1m1.5s'],
    [600, '10m0s', '10m0.5s'],
    [3599, '59m59s', '59m59.5s'],
    [3600, '1h0m0s', '1h0m0.5s'],
    [3660, '1h1m0s', '1h1m0.5s'],
    [86_399, '23h59m59s', '23h59m59.5s'],
    [31_536_000, '8760h0m0s', '8760h0m0.5s'],
    [999_999_999, '277777h46m39s', '277777h46m39.5s'],
    [Infinity, '596h0m0s', '596h0m0.5s'],
  ])('%d s left are %s and %s', (seconds, go, fraction) => {
    expect(durationText(AT + seconds * 1000, AT, 'go')).toBe(go);
    expect(durationText(AT + seconds * 1000, AT, 'go_fraction')).toBe(fraction);
  });
});

test.each(DURATION_FORMATS)('%s: the writer puts the text into its place, right-aligned', (format) => {
  const { width, write, text } = DURATION_WRITERS[format];
  const bytes = Buffer.alloc(width + 2, '#');
  bytes.fill(' ', 1, width + 1);
  for (const seconds of [999_999_999, 3600, 3599, 60, 59, 10, 9, 1, 100_000]) {
    write(bytes, width + 1, seconds);
    expect(bytes.toString()).toBe(`#${`"${text(seconds)}"`.padStart(width)}#`);
  }
});
