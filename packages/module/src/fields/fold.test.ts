import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from './fold.ts';

const plainly = (text: string) => text.normalize('NFC').toLowerCase();

test('texts are compared regardless of case and of how their letters are composed', () => {
  expect(fold('Ä')).toBe(fold('a\u0308'));
  expect(fold('ÉTÉ e\u0323\u0307')).toBe(fold('été E\u0307\u0323'));
});

test('a long text is folded like a short one', () => {
  const letter = fc.constantFrom('a', 'E', 'и', '漢', '가', '각', '😀', ' ', 'ক');
  const mark = fc.constantFrom('\u0300', '\u0315', '\u0323', '\u0306', '\u0308', 'ে', 'া');
  const cluster = fc
    .tuple(letter, fc.array(mark, { maxLength: 9 }))
    .map(([one, more]) => one + more.join(''));
  fc.assert(
    fc.property(fc.array(cluster, { minLength: 1, maxLength: 30 }), (clusters) => {
      const text = clusters.join('');
      const long = text.repeat(Math.ceil(1_001 / text.length));
      expect(fold(long)).toBe(plainly(long));
    }),
    { numRuns: 500 },
  );
});

// Unicode orders the marks after a letter; ICU sorts them one by one.
test.each(['\u0315\u0300', '\u{1e8d0}\u0300', '\u0300\u0315'])(
  'a letter with very many marks is folded without delay: %j',
  (marks) => {
    const folded = fold(`B${marks.repeat(400_000)}C`);
    expect(folded).toMatch(/^b.*c$/su);
    expect(folded.isWellFormed()).toBe(true);
  },
);
