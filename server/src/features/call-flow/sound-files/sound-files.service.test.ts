import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FlowService } from '../records/flow-service.ts';
import { pcm16, sine, waveOf } from './audio/waves.suite.ts';
import { type Conversions, createConversions } from './conversions.ts';
import type { SoundRecord, SoundValues } from './sound.ts';
import { createSounds, type Sounds } from './sound-files.service.ts';
import { createSoundFolder } from './sound-folder.ts';

const forever = new AbortController().signal;
const wave = (hz: number) => waveOf({ rate: 8000, data: pcm16(sine(hz, 8000, 0.2)) });
const [OLD, NEW] = [wave(440), wave(880)];

let dir: string;
let sounds: Sounds;
let stored: SoundRecord;
/** Called when a conversion that evens loudness begins, which then waits for the promise. */
let hold: ((begun: number) => Promise<void>) | undefined;

/** One record, as the store would keep it. */
const service = {
  find: async () => stored,
  changeValues: async (_id: string, next: (values: SoundValues) => SoundValues) => set(next(stored.values)),
  changeFields: async (_id: string, next: (values: SoundValues) => SoundValues) => ({
    record: set(next(stored.values)),
  }),
} as unknown as FlowService<SoundValues>;
const set = (values: SoundValues): SoundRecord => {
  stored = { ...stored, values };
  return stored;
};

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pbxcore-sounds-'));
  hold = undefined;
  let begun = 0;
  const real = createConversions();
  const conversions: Conversions = {
    ...real,
    async convert(task, signal) {
      if (task.normalize) await hold?.(++begun);
      return real.convert(task, signal);
    },
  };
  const values: SoundValues = { name: 'Hello', description: '', category: 'custom', normalize: false };
  stored = { kind: 'sound-files', id: '7', name: 'Hello', values } as unknown as SoundRecord;
  sounds = createSounds({
    service,
    folder: createSoundFolder({ dir, conversions }),
    clock: { now: () => 1000 },
    sweep: () => {},
  });
  await upload(OLD);
});
afterEach(() => rm(dir, { recursive: true }));

const upload = (bytes: Buffer) =>
  sounds.upload(
    {
      type: 'audio/wav',
      boundary: '',
      chunks: (async function* () {
        yield bytes;
      })(),
    },
    () => ({ id: '7', values: {} }),
    forever,
  );
const even = (normalize = true) =>
  sounds.change(stored, normalize, forever, async () => set({ ...stored.values, normalize }));
const original = async () => {
  const file = await sounds.find(stored, 'original', forever);
  return readFile(file.path);
};

test('contract 24.4, 24.6: an upload that ends while older audio is normalized stays, normalized too', async () => {
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  hold = async (at) => {
    if (at > 1) return;
    begun.resolve();
    await go.promise;
  };
  const changing = even();
  await begun.promise;
  await upload(NEW);
  expect(await original()).toEqual(NEW);
  const { uploadedAt } = stored.values;
  go.resolve();
  await changing;
  expect(await original()).toEqual(NEW);
  expect(stored.values).toMatchObject({
    normalize: true,
    isNormalized: true,
    fileSize: NEW.length,
    uploadedAt,
  });
});

test('turning normalize off during a conversion discards its result', async () => {
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  hold = async () => {
    begun.resolve();
    await go.promise;
  };
  const changing = sounds.change(stored, true, forever, async () => {
    set({ ...stored.values, normalize: true });
    await even(false);
  });
  await begun.promise;
  go.resolve();
  await changing;
  expect(stored.values).toMatchObject({ normalize: false, isNormalized: false });
  expect(await original()).toEqual(OLD);
});
