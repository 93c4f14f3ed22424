import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkModuleDocs } from './check-module-docs.ts';
import { root } from './run-command.ts';

const GUIDE = 'docs/modules.md';
const CONTEXT = 'packages/module/src/context.ts';
const EVENTS = 'packages/module/src/events.ts';
const PROTOCOL = 'server/src/module-host/line/protocol.ts';

/** The repository as it is, except for some words in one file. */
function problemsAfter(path: string, ...changes: readonly (readonly [from: string, to: string])[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'pbxcore-module-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of [
    GUIDE,
    'packages/module/src',
    PROTOCOL,
    'server/src/module-host/questions/core-reads.ts',
  ])
    cpSync(join(root, file), join(folder, file), { recursive: true });
  let text = readFileSync(join(folder, path), 'utf8');
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  writeFileSync(join(folder, path), text);
  return checkModuleDocs(folder).map((problem) => problem.replace(`${GUIDE}: `, ''));
}

test('the tables of the guide name exactly the members of the types', () =>
  expect(checkModuleDocs(root)).toEqual([]));

test.each(['interface Call extends Who {', 'interface Who {'])(
  'a missing row for a member of `%s` is reported with its table',
  (declaration) =>
    expect(problemsAfter(CONTEXT, [declaration, `${declaration} readonly novelty: string;`])).toEqual([
      'the table below "### The call" lacks a row for `call.novelty`, which Call has',
    ]),
);

test('the table of the core is compared with the type of the core in the context', () =>
  expect(
    problemsAfter(
      CONTEXT,
      [
        'export interface CoreReads {',
        'type Core = CoreReads & { novelty(path: string): void };\nexport interface CoreReads {',
      ],
      [
        'readonly core: CoreReads;\n  readonly calls: CallActs;',
        'readonly core: Core;\n  readonly calls: CallActs;',
      ],
    ),
  ).toEqual([
    'the table below "### What the core answers" lacks a row for `novelty`, which Context.core has',
  ]));

test('a row without a member, or with a wrong right or wrong facts, is reported', () => {
  expect(problemsAfter(GUIDE, ['| `call.id` |', '| `call.id`, `call.ip` |'])).toEqual([
    'the row `call.ip` below "### The call": Call has no such member',
  ]);
  expect(problemsAfter(PROTOCOL, [`'ban-lifted': 'bans'`, `'ban-lifted': 'calls'`])).toEqual([
    'the row `ban-lifted` below "### Events": the second column has to name the right `calls`',
  ]);
  expect(
    problemsAfter(EVENTS, [`'ban-lifted': { readonly address:`, `'ban-lifted': { readonly ip:`]),
  ).toEqual([
    'the row `ban-lifted` below "### Events": the third column lacks `ip`',
    'the row `ban-lifted` below "### Events": the third column names `address`, which the event does not carry',
  ]);
  expect(problemsAfter(GUIDE, ['### Events\n', '### What happens\n'])).toEqual([
    'there is no table below "### Events"',
  ]);
});
