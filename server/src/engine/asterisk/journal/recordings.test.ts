import { readdirSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { createRecordings, type RecordingFinishedEvent } from './recordings.ts';

const FILE = '2026/11/15/23/n-1.2-1.wav';
let dir: string;
let events: RecordingFinishedEvent[];
let errors: unknown[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pbxcore-recordings-'));
  await mkdir(join(dir, '2026/11/15/23'), { recursive: true });
  events = [];
  errors = [];
});
afterEach(() => rm(dir, { recursive: true }));

const begin = (waitsMs: number[] = [1, 1]) =>
  createRecordings({
    dir,
    finished: (event) => events.push(event),
    onError: (error) => errors.push(error),
    waitsMs,
  });
const recording = (file = FILE) => ({ channelId: 'n-1.3', legId: 'n-1.2-1', linkedId: 'n-1.2', file });

function wav(bytes: number, told = bytes): Buffer {
  const file = Buffer.alloc(44 + bytes, 1);
  file.writeUInt32LE(told === 0 ? 0 : told + 36, 4);
  file.writeUInt32LE(told, 40);
  return file;
}

test('a complete file is reported', async () => {
  await writeFile(join(dir, FILE), wav(320));
  const recordings = begin();
  recordings.close(recording());
  expect(recordings.closing()).toHaveLength(1);
  await eventually(() => expect(recordings.closing()).toEqual([]));
  await recordings.settle();
  expect(events).toEqual([{ type: 'recording-finished', legId: 'n-1.2-1', linkedId: 'n-1.2', file: FILE }]);
  expect(recordings.closing()).toEqual([]);
});

test('a file is reported only when the engine has completed it', async () => {
  await writeFile(join(dir, FILE), wav(320, 0));
  const recordings = begin(Array.from({ length: 500 }, () => 5));
  recordings.close(recording());
  expect(events).toEqual([]);
  await writeFile(join(dir, FILE), wav(640));
  await eventually(() => expect(events).toHaveLength(1));
});

test('a file that a lost engine left unfinished is repaired', async () => {
  await writeFile(join(dir, FILE), wav(320, 0));
  const recordings = begin([60_000]);
  recordings.close(recording(), true);
  await eventually(() => expect(events).toHaveLength(1));
  const file = await readFile(join(dir, FILE));
  expect([file.readUInt32LE(4), file.readUInt32LE(40)]).toEqual([356, 320]);
});

test('a file without sound is removed', async () => {
  await writeFile(join(dir, FILE), wav(0));
  const recordings = begin();
  recordings.close(recording());
  await eventually(() => expect(recordings.closing()).toEqual([]));
  await recordings.settle();
  await expect(stat(join(dir, FILE))).rejects.toThrow('ENOENT');
  expect(events).toEqual([]);
});

test('a missing file is no error, and a file outside the folder is never touched', async () => {
  const recordings = begin();
  recordings.close(recording());
  recordings.close(recording('../../etc/passwd'));
  recordings.close(recording('2026/11/15/23/../../../../../etc/passwd.wav'));
  await recordings.settle();
  expect([events, errors]).toEqual([[], []]);
});

test('a file that is incomplete at shutdown is closed unchanged and stays pending', async () => {
  await writeFile(join(dir, FILE), wav(320, 0));
  const recordings = begin([60_000]);
  recordings.close(recording());
  await recordings.settle();
  expect(recordings.closing()).toEqual([recording()]);
  expect(await readFile(join(dir, FILE))).toEqual(wav(320, 0));
  expect(readdirSync('/proc/self/fd').filter((fd) => isOpen(fd, join(dir, FILE)))).toEqual([]);
  expect([events, errors]).toEqual([[], []]);
});

function isOpen(fd: string, file: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === file;
  } catch {
    return false;
  }
}
