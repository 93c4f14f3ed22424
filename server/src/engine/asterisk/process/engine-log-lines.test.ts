import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { engineLogLines } from './engine-log-lines.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-log-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('lines of the engine have its time and level; a line without them takes those of the line before', async () => {
  await writeFile(
    join(folder, 'messages.log'),
    [
      '[2026-05-04 10:11:12.345 +0200] NOTICE[123] res_pjsip.c: hello\u001b[31m',
      '[2026-05-04 10:11:13.000 +0200] WARNING[123][C-0000000a] chan.c: careful',
      'and more of it',
      '[2026-05-04 08:11:14 +0000] ERROR[9]: broken',
      '',
    ].join('\n'),
  );
  const line = (at: string, level: string, text: string) => ({
    at: Date.parse(at),
    level,
    source: 'engine',
    text,
    fields: {},
  });
  expect(await engineLogLines(folder)).toEqual([
    line('2026-05-04T08:11:12.345Z', 'info', 'res_pjsip.c: hello [31m'),
    line('2026-05-04T08:11:13Z', 'warn', 'chan.c: careful'),
    line('2026-05-04T08:11:13Z', 'warn', 'and more of it'),
    line('2026-05-04T08:11:14Z', 'error', 'broken'),
  ]);
});

test('without a log the printed output is shown, dated by its file; without either there are no lines', async () => {
  expect(await engineLogLines(folder)).toEqual([]);
  const file = join(folder, 'output.log');
  await writeFile(file, 'cannot bind\n');
  await utimes(file, 1777882272, 1777882272);
  expect(await engineLogLines(folder)).toMatchObject([{ at: 1777882272000, text: 'cannot bind' }]);
});

test('only the end of a large log is read', async () => {
  const line = (i: number) => `[2026-05-04 10:11:12.345 +0200] NOTICE[1] a.c: ${i} ${'x'.repeat(300)}`;
  await writeFile(
    join(folder, 'messages.log'),
    `${Array.from({ length: 20_000 }, (_, i) => line(i)).join('\n')}\n`,
  );
  const lines = await engineLogLines(folder);
  expect(lines.length).toBeLessThanOrEqual(3500);
  expect(lines.at(-1)?.text).toMatch(/^a\.c: 19999 /);
});
