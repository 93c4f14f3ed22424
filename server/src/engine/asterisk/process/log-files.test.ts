import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lastLines, rotate } from './log-files.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-log-'));
  file = join(folder, 'x.log');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a log that has grown too large is moved away, and the last three are kept', async () => {
  expect(await rotate(file, 10)).toBe(false);
  for (const text of ['first', 'second', 'third', 'fourth', 'fifth']) {
    await writeFile(file, text.repeat(10));
    expect(await rotate(file, 10)).toBe(true);
  }
  expect((await readdir(folder)).sort()).toEqual(['x.log.1', 'x.log.2', 'x.log.3']);
  expect(await readFile(`${file}.1`, 'utf8')).toMatch(/^fifth/);
  expect(await readFile(`${file}.3`, 'utf8')).toMatch(/^third/);
});

test('the last lines of a log are read completely and without the rest', async () => {
  expect(await lastLines(file, 3)).toEqual([]);
  await writeFile(file, 'one\ntwo\nthree\nfour\n');
  expect(await lastLines(file, 2)).toEqual(['three', 'four']);
  await writeFile(file, Array.from({ length: 5000 }, (_, i) => `line ${i}\n`).join(''));
  expect(await lastLines(file, 3)).toEqual(['line 4997', 'line 4998', 'line 4999']);
});
