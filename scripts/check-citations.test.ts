import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkCitations } from './check-citations.ts';

// Composed here, so that this file itself cites nothing.
const word = 'contract';

/** A repository with sections 8, 8.4 and the rows 17.4 and 17.5, and the given files. */
function checked(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-citations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const all = {
    'docs/contract/08-bouncer.md': '# 8 Bouncer\n\n## 8.4 Stream\n\n| # | t |\n|---|---|\n| 1 | 0 |',
    'docs/contract/17-amendments.md':
      '# 17 Amendments\n\n| # | Rule |\n|---|---|\n| 17.4 | keys |\n| 17.5 | logins |',
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return checkCitations(folder);
}

test.each([
  [`// ${word} 8`, 1],
  [`// a rule (${word} 8.4).`, 1],
  [`/** ${word} 8.4, 17.4 and 17.5: all of them. */`, 3],
  [`/**\n * Broken over two lines (${word}\n * 17.4).\n */`, 1],
  [`describe('${word} 17.4 to 17.5: which key may do what', () => {});`, 2],
  [`// ${word} 8.4 and 100 polls, ${word}s of 3 years, sub${word} 99`, 1],
])('a citation of a section or a row is found: %s', (text, citations) => {
  expect(checked({ 'server/src/a.ts': text })).toEqual({ citations, problems: [] });
});

test.each([
  [`// ${word} 9`, '9'],
  [`// ${word} 8.5`, '8.5'],
  [`// ${word} 8.4.1`, '8.4.1'],
  [`// ${word} 17.123`, '17.123'],
  [`// ${word} 8.4, 17.6`, '17.6'],
  [`/**\n * Broken over two lines (${word}\n * 17.7).\n */`, '17.7'],
  // A row of a story is not a section.
  [`// ${word} 1`, '1'],
])('a citation of neither is a problem: %s', (text, number) => {
  const { problems } = checked({ 'server/test/a.test.ts': text });
  expect(problems).toEqual([`server/test/a.test.ts: ${word} ${number} is not in docs/contract`]);
});

test('a number in the contract that looks like one of its sections must exist', () => {
  const path = 'docs/contract/09-modules.md';
  expect(
    checked({ [path]: '# 9 Modules\n\nas 8.4, `1.5` s, 192.0.2.1, 0.5.1, [8.4](x.md#99)' }).problems,
  ).toEqual([]);
  expect(checked({ [path]: '# 9 Modules\n\nas 8.4, 8.5.' }).problems).toEqual([
    `${path}: 8.5 is not in docs/contract`,
  ]);
});

test('a number given to two sections is a problem', () => {
  const again = checked({ 'docs/contract/18-more.md': '# 18 More\n\n## 8.4 Once more' });
  expect(again.problems).toEqual(['docs/contract/18-more.md: 8.4 is in docs/contract/08-bouncer.md already']);
});

test('a missing contract is a problem', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-citations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(checkCitations(folder).problems).toEqual(['docs/contract does not exist']);
});
