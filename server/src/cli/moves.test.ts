import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMoves } from './moves.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-moves-'));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (...names: string[]) => join(folder, ...names);
const tree = async (name: string) => (await readdir(at(name), { recursive: true })).sort();

test('undo moves everything back, the last move first', async () => {
  await mkdir(at('old/inner'), { recursive: true });
  await writeFile(at('old/inner/file'), 'old');
  await mkdir(at('new'));
  const { move, undo } = createMoves();
  await move(at('old'), at('aside/old'));
  await move(at('new'), at('old'));
  await expect(move(at('nothing'), at('aside/nothing'))).rejects.toThrow('ENOENT');
  await undo();
  expect(await readFile(at('old/inner/file'), 'utf8')).toBe('old');
  expect(await tree('aside')).toEqual([]);
  expect(await tree('new')).toEqual([]);
});

const mount = (path: string) => execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]);
const unmount = (path: string) => execFileSync('umount', ['-l', path]);

async function canMount(): Promise<boolean> {
  const path = await mkdtemp(join(tmpdir(), 'pbxcore-mount-'));
  try {
    mount(path);
    unmount(path);
    return true;
  } catch {
    return false;
  } finally {
    await rm(path, { recursive: true });
  }
}

test.skipIf(!(await canMount()))(
  'the entries of a mount point are moved there and back, and a full disk leaves nothing half moved',
  async () => {
    await mkdir(at('modules'));
    mount(at('modules'));
    try {
      await mkdir(at('modules/Demo/dist'), { recursive: true });
      await writeFile(at('modules/Demo/dist/index.js'), 'old');
      await mkdir(at('new/Demo'), { recursive: true });
      await writeFile(at('new/Demo/index.js'), 'new');
      await writeFile(at('new/Demo/large'), Buffer.alloc(2 * 1024 * 1024));
      const before = [await tree('modules'), await tree('new')];

      const { move, undo } = createMoves();
      await move(at('modules'), at('aside'));
      expect(await tree('modules')).toEqual([]);
      expect(await readFile(at('aside/Demo/dist/index.js'), 'utf8')).toBe('old');
      await expect(move(at('new'), at('modules'))).rejects.toThrow('ENOSPC');
      await undo();
      expect([await tree('modules'), await tree('new')]).toEqual(before);
      expect(await readFile(at('modules/Demo/dist/index.js'), 'utf8')).toBe('old');
      expect(await readdir(folder)).not.toContain('aside');
    } finally {
      unmount(at('modules'));
    }
  },
);
