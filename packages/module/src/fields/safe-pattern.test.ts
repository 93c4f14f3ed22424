import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patternSteps, readPieces, safePattern } from './safe-pattern.ts';

describe('patterns of modules', () => {
  test.each([
    ['\\d+', '123', '12a'],
    ['[^/:]+', 'any thing', 'a/b'],
    ['^[a-z0-9-]{1,20}$', 'a-1', 'A'],
    ['\\+?\\d{3,15}', '+491234', '12'],
    ['SIP-TRUNK-[0-9A-F]{8}', 'SIP-TRUNK-0A1B2C3D', 'SIP-TRUNK-x'],
    ['[\\]\\\\]', ']', 'a'],
    ['[\\p{L}]+', 'ä', 'p{L}'],
    ['\\w*\\w*-', 'a-', 'a'],
    ['[^@\\s]+@[^@\\s]+\\.[a-z]{2}', 'anna@example.de', 'anna@example'],
  ])('%s is accepted and applies to the whole value', (source, fits, fails) => {
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

  test.each(['a?a?a?a?[^/:]*[^/:]*', 'a?a?a?a?.*.*b', '[^/:]*[^/:]*a{100}b', `.*.*${'a'.repeat(150)}b`])(
    '%s is refused: the part after repetitions is tried for each of their lengths',
    (source) => {
      expect(safePattern(source)).toBeUndefined();
      // Short texts may be matched.
      expect(safePattern(source, 20)).toBeDefined();
    },
  );

  test('no text is examined more often than was calculated beforehand', () => {
    const quantifier = fc.constantFrom('', '', '?', '*', '+', '{2}', '{0,3}', '{2,}');
    const piece = fc.tuple(fc.constantFrom('a', 'a', 'b', '.'), quantifier).map((parts) => parts.join(''));
    const pattern = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^a{0,9}b?$/), (source, text) => {
        fc.pre(readPieces(source) !== undefined);
        const { fits, looks } = matchedSlowly(source, text);
        expect(fits).toBe(new RegExp(`^${source}$`).test(text));
        expect(looks).toBeLessThanOrEqual(patternSteps(source, text.length));
      }),
      { numRuns: 2_000 },
    );
    expect(matchedSlowly('a?a?.*.*b', 'a'.repeat(20)).looks).toBeGreaterThan(1_000);
  });
});

/** Matches like a backtracking engine that tries the longest first, and counts each character it looks at. */
function matchedSlowly(source: string, text: string): { fits: boolean; looks: number } {
  const pieces = (readPieces(source) ?? []).map(({ text: sign, quantifier }) => {
    const [least = 1, most = least] = BOUNDS[quantifier] ?? [];
    return { sign, least, most };
  });
  let looks = 0;
  function from(piece: number, at: number): boolean {
    const next = pieces[piece];
    if (!next) return at === text.length;
    let end = at;
    while (end - at < next.most && end < text.length) {
      looks++;
      if (next.sign !== '.' && next.sign !== text[end]) break;
      end++;
    }
    for (; end - at >= next.least; end--) if (from(piece + 1, end)) return true;
    return false;
  }
  return { fits: from(0, 0), looks };
}

const BOUNDS: Readonly<Record<string, readonly number[]>> = {
  '?': [0, 1],
  '*': [0, Infinity],
  '+': [1, Infinity],
  '{2}': [2],
  '{0,3}': [0, 3],
  '{2,}': [2, Infinity],
};
