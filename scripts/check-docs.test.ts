import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkDocs } from './check-docs.ts';

/** A repository with one setting, documented, and the given README. */
function problemsOf(readme: string, files: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const all = {
    'package.json': '{ "scripts": { "check": "" } }',
    'server/src/config.ts': 'env.PBXCORE_HTTP_PORT',
    'server/src/http/server.ts': '',
    'docs/operators.md': '# Run it\n\n## Back up, restore\n\n`PBXCORE_HTTP_PORT`',
    'README.md': readme,
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return checkDocs(folder);
}

test.each([
  '[run](docs/operators.md) [back up](docs/operators.md#back-up-restore) [out](https://example.org/x)',
  '`server/src/http/server.ts`, `http/server.ts:12`, `server/src/http/`, `server/src/*/server.ts`, `http/`',
  '`application/json`, `http/1.1 200`, `/api/v3/cdr`, `server/<name>.ts`, `data/pbxcore.db`, `read/write`',
  '`npm run check`, `npm start`, `PBXCORE_*`, `PBXCORE_HTTP_PORT`',
  '```\n[x](nowhere.md) `server/src/none.ts`\n```',
])('a name that exists, or is no claim, is no problem: %s', (readme) =>
  expect(problemsOf(readme)).toEqual([]),
);

test.each([
  ['[x](docs/none.md)', 'README.md: link docs/none.md leads nowhere'],
  ['[x](../other/x.md)', 'README.md: link ../other/x.md leaves the repository'],
  [
    '[x](docs/operators.md#none)',
    'README.md: link docs/operators.md#none names no heading of docs/operators.md',
  ],
  ['[x]: docs/none.md', 'README.md: link docs/none.md leads nowhere'],
  ['`server/src/none.ts`', 'README.md: `server/src/none.ts` does not exist'],
  ['`http/none.ts`', 'README.md: `http/none.ts` does not exist'],
  ['`server/none/*.ts`', 'README.md: `server/none/*.ts` does not exist'],
  ['```\nnpm run none\n```', 'README.md: package.json has no script none'],
  ['`PBXCORE_NONE=1`', 'README.md: server/src/config.ts does not read PBXCORE_NONE'],
])('a name that does not exist is reported: %s', (readme, problem) =>
  expect(problemsOf(readme)).toEqual([problem]),
);

test('every setting is in the operators’ guide', () => {
  const config = { 'server/src/config.ts': 'env.PBXCORE_HTTP_PORT env.PBXCORE_DATA_DIR' };
  expect(problemsOf('', config)).toEqual(['docs/operators.md: lacks PBXCORE_DATA_DIR']);
});
