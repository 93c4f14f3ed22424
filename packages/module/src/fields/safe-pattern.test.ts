import { describe, expect, test } from 'vitest';
import { MAX_MATCHED_LENGTH, safePattern } from './safe-pattern.ts';

describe('patterns of modules', () => {
  test.each([
    ['\\d+', '123', '12a'],
    ['[^/:]+', 'any thing', 'a/b'],
    ['^[a-z0-9-]{1,20}$', 'a-1', 'A'],
    ['\\+?\\d{3,15}', '+491234', '12'],
    ['SIP-TRUNK-[0-9A-F]{8}', 'SIP-TRUNK-0A1B2C3D', 'SIP-TRUNK-x'],
    ['[\\]\\\\]', ']', 'a'],
  ])('%s is taken for the whole value', (source, fits, fails) => {
    expect(safePattern(source)?.test(fits)).toBe(true);
    expect(safePattern(source)?.test(fails)).toBe(false);
  });

  test.each([
    '(a+)+',
    'a|b',
    '(?=a)',
    'a*b*c*d*',
    'a++',
    '[a-',
    '\\',
    '',
    'a{1,9999}',
    '\\1',
    'a?b?c?d?e?',
    '(?:a)',
    'a{2}{3}',
  ])('%s is refused', (source) => {
    expect(safePattern(source)).toBeUndefined();
  });

  test('the worst one that is taken ends soon', () => {
    const worst = safePattern('a?a?a?a?.*.*b') as RegExp;
    const before = process.cpuUsage();
    expect(worst.test('a'.repeat(MAX_MATCHED_LENGTH))).toBe(false);
    // Of our own work: how busy the machine is with others does not count.
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });
});
