import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { prepareBuild } from './build.ts';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pbxcore-build-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('the compiler options that a module extends are written again each time', async () => {
  const folder = join(await makeFolder(), 'words');
  await mkdir(folder);
  for (let i = 0; i < 2; i++) await prepareBuild(folder);
  const options = JSON.parse(await readFile(join(folder, '.pbxcore/tsconfig.json'), 'utf8'));
  expect(options.compilerOptions.strict).toBe(true);
});

test('a module folder that was moved away meanwhile is not created again', async () => {
  const above = await makeFolder();
  await expect(prepareBuild(join(above, 'words'))).rejects.toThrow('ENOENT');
  expect(await readdir(above)).toEqual([]);
});
