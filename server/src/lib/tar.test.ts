import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type PackedFile, tarOf, unpackTar } from './tar.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-tar-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function piecesOf(files: readonly PackedFile[]): Promise<Buffer[]> {
  const made: Buffer[] = [];
  for await (const piece of tarOf(files)) made.push(piece);
  return made;
}

async function pack(contents: Record<string, Buffer>): Promise<Buffer> {
  const files: PackedFile[] = [];
  for (const [name, content] of Object.entries(contents)) {
    const path = join(folder, `source-${files.length}`);
    await writeFile(path, content);
    files.push({ name, path, size: content.length });
  }
  return Buffer.concat(await piecesOf(files));
}

/** In pieces that end anywhere. */
const pieces = (archive: Buffer, size: number): AsyncIterable<Buffer> =>
  Readable.from(
    Array.from({ length: Math.ceil(archive.length / size) }, (_, i) =>
      archive.subarray(i * size, (i + 1) * size),
    ),
  );
const unpack = (archive: Buffer, size = 1000) =>
  unpackTar(pieces(archive, size), (name) => join(folder, 'out', name));

const LONG = `modules/${'long-name/'.repeat(15)}file.js`;
/** Without a slash at which it could be split. */
const LONGER = `${'ü'.repeat(60)}/${'n'.repeat(150)}/${'m'.repeat(120)}.js`;
const CONTENTS = {
  empty: Buffer.alloc(0),
  'a/block': Buffer.alloc(512, 1),
  'a/grüße': Buffer.from('x'.repeat(1300)),
  [LONG]: Buffer.from('deep'),
  [LONGER]: Buffer.from('long'),
  [`modules/${LONGER}`]: Buffer.from('longer'),
};

test.each([1, 7, 512, 100_000])(
  'packed files are unpacked unchanged, in pieces of %i bytes',
  async (size) => {
    expect(await unpack(await pack(CONTENTS), size)).toEqual(Object.keys(CONTENTS));
    for (const [name, content] of Object.entries(CONTENTS))
      expect(await readFile(join(folder, 'out', name))).toEqual(content);
    expect((await stat(join(folder, 'out', 'a/block'))).mode & 0o777).toBe(0o600);
  },
);

test('the tar program reads the archive', async () => {
  const file = join(folder, 'archive.tar');
  await writeFile(file, await pack(CONTENTS));
  const listed = execFileSync('tar', ['--quoting-style=literal', '-tf', file]).toString().trim().split('\n');
  expect(listed).toEqual(Object.keys(CONTENTS));
});

test('an archive that is cut short, or changed, is refused', async () => {
  const archive = await pack({ a: Buffer.alloc(2000, 7) });
  for (const length of [0, 100, 512, 1000, archive.length - 1024]) {
    await expect(unpack(archive.subarray(0, length))).rejects.toThrow('cut short');
    await rm(join(folder, 'out'), { recursive: true, force: true });
  }
  archive.writeUInt8(0x62, 0);
  await expect(unpack(archive)).rejects.toThrow('damaged');
});

test('a file that changes while it is packed aborts the archive', async () => {
  const path = join(folder, 'shrinks');
  await writeFile(path, 'short');
  await expect(piecesOf([{ name: 'shrinks', path, size: 100 }])).rejects.toThrow('changed');
});
