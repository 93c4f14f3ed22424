import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dialplanText } from './encode.ts';
import { unusableFolder } from './folders.ts';

const using = (recordingsDir: string) =>
  unusableFolder({
    stateDir: '/data/engine',
    journalFile: '/data/journal.csv',
    soundsDir: '/data/sounds',
    recordingsDir,
  });

test('only a folder that the engine files cannot name is refused, and the reason names the character', () => {
  for (const sign of [',', ';', '"', "'", '$', '(', ']', '=', '&', '\n', '  '])
    expect(using(`/data${sign}x`)).toContain(JSON.stringify(sign));
  for (const folder of ['/srv/pbx core/recordings', '/srv/Büro-1/a_b.c+d@e', '/srv/100%/x']) {
    expect(using(folder)).toBeUndefined();
  }
});

test('a folder that is not refused is written unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const folder = `/data/${text}`;
      if (using(folder) === undefined && folder.isWellFormed() && !/[\s\u2028\u2029]$/u.test(folder))
        expect(dialplanText(folder)).toBe(folder);
    }),
  );
});
