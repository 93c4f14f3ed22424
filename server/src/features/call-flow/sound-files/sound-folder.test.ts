import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pcm16, sine, waveOf } from './audio/waves.suite.ts';
import { createConversions } from './conversions.ts';
import { createSoundFolder } from './sound-folder.ts';

const DAY = 24 * 3600 * 1000;
const WAVE = waveOf({ rate: 8000, data: pcm16(sine(440, 8000, 0.2)) });
const forever = new AbortController().signal;

let dir: string;
let folder: ReturnType<typeof createSoundFolder>;
beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), 'pbxcore-sounds-')), 'sounds');
  folder = createSoundFolder({ dir, conversions: createConversions() });
});
afterEach(() => rm(join(dir, '..'), { recursive: true }));

async function store(id: string, revision: number): Promise<void> {
  const upload = await folder.begin();
  await writeFile(upload.file, WAVE);
  await folder.convert(upload, true, forever);
  await folder.keep(upload, { id, revision });
}

test('contract 24.4: the original is kept byte for byte beside the converted files', async () => {
  await store('7', 2);
  expect((await readdir(dir)).sort()).toEqual(
    ['7-r2.alaw', '7-r2.g722', '7-r2.original', '7-r2.ulaw', '7-r2.wav', '7-r2.wav16'].sort(),
  );
  expect((await readFile(join(dir, '7-r2.original'))).equals(WAVE)).toBe(true);
  expect(await folder.find({ id: '7', revision: 2 }, 'wav')).toMatchObject({ size: 44 + 3200 });
  expect(await folder.find({ id: '7', revision: 1 }, 'wav')).toBeUndefined();
});

test('a failed upload leaves nothing behind', async () => {
  const upload = await folder.begin();
  await writeFile(upload.file, 'no sound');
  await expect(folder.convert(upload, true, forever)).rejects.toThrow();
  await folder.drop(upload);
  expect(await readdir(dir)).toEqual([]);
});

test('contract 24.6: unused sounds are removed after a day; used sounds and files of others stay', async () => {
  await store('7', 1);
  await store('7', 2);
  await folder.begin();
  await folder.provideHoldTone(forever);
  await writeFile(join(dir, 'notes.txt'), 'of the operator');
  const used = [{ id: '7', revision: 2 }];
  const before = await readdir(dir);
  expect(await folder.sweep(5000, used)).toBe(0);
  const restarted = createSoundFolder({ dir, conversions: createConversions() });
  expect(await restarted.sweep(5000 + DAY - 1, used)).toBe(0);
  expect((await readdir(dir)).filter((name) => name !== '.unused.json')).toEqual(before);
  expect(await restarted.sweep(5000 + DAY, used)).toBe(7);
  const left = (await readdir(dir)).filter(
    (name) => !name.startsWith('hold-tone') && !name.startsWith('7-r2.'),
  );
  expect(left).toEqual(['.unused.json', 'notes.txt']);
  expect(await readdir(dir)).toHaveLength(14);
});

test('contract 24.8: the hold tone is made only once', async () => {
  await folder.provideHoldTone(forever);
  await writeFile(join(dir, 'hold-tone.ulaw'), 'changed by hand');
  await folder.provideHoldTone(forever);
  expect(await readFile(join(dir, 'hold-tone.ulaw'), 'utf8')).toBe('changed by hand');
});
