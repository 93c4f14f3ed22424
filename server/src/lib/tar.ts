import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Archives in POSIX format (ustar, pax headers for long names), processed in pieces: files may exceed memory. */

const BLOCK = 512;
/** Kinds of entries. */
const FILE = '0';
const EXTENSION = 'x';
/** Of an extended header. */
const MAX_EXTENSION = 64 * 1024;
/** Eleven octal digits; a larger size is written in binary, as GNU tar does. */
const MAX_OCTAL_SIZE = 8 ** 11;

export interface PackedFile {
  /** Segments joined by `/`. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

export class BrokenArchive extends Error {}

export async function* tarOf(files: Iterable<PackedFile>): AsyncGenerator<Buffer> {
  for (const { name, path, size } of files) {
    yield headersOf(name, size);
    let left = size;
    if (size > 0)
      for await (const chunk of createReadStream(path, { end: size - 1 })) {
        left -= (chunk as Buffer).length;
        yield chunk as Buffer;
      }
    if (left !== 0) throw new BrokenArchive(`${name} changed while it was packed`);
    if (size % BLOCK > 0) yield Buffer.alloc(BLOCK - (size % BLOCK));
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** Writes an archive's files to the paths from `place`, which throws for unwanted names. Resolves to the names. */
export async function unpackTar(
  source: AsyncIterable<Buffer>,
  place: (name: string) => string,
): Promise<string[]> {
  const names: string[] = [];
  const bytes = createByteReader(source);
  let longName: string | undefined;
  for (;;) {
    const header = await bytes.take(BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const { kind, name: shortName, size } = readHeader(header);
    if (kind === EXTENSION) {
      if (size > MAX_EXTENSION) throw new BrokenArchive('it holds a name that is too long');
      longName = pathIn(await bytes.take(size));
      await bytes.take((BLOCK - (size % BLOCK)) % BLOCK);
      continue;
    }
    const name = longName ?? shortName;
    longName = undefined;
    const path = place(name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await using file = await open(path, 'wx', 0o600);
    for (let left = size; left > 0; ) {
      const piece = await bytes.some(left);
      await file.writeFile(piece);
      left -= piece.length;
    }
    await bytes.take((BLOCK - (size % BLOCK)) % BLOCK);
    names.push(name);
  }
  // To the end: a surrounding format may check a checksum there.
  await bytes.drain();
  return names;
}

/** A name that is too long for the header gets a header of its own before it (pax). */
function headersOf(name: string, size: number): Buffer {
  const parts = splitName(name);
  if (parts) return headerOf(FILE, parts, size);
  const record = Buffer.from(` path=${name}\n`);
  // The length includes its own digits.
  let length = record.length + 1;
  while (String(length).length + record.length > length) length++;
  const extension = Buffer.alloc(Math.ceil(length / BLOCK) * BLOCK);
  extension.write(`${length}${record}`);
  const short = Buffer.from(name)
    .subarray(-100)
    .toString('latin1')
    .replaceAll(/[^ -~]/g, '_');
  return Buffer.concat([
    headerOf(EXTENSION, ['', 'PaxHeader'], length),
    extension,
    headerOf(FILE, ['', short], size),
  ]);
}

/** The records of an extended header: length, space, key and value; only the name is of use here. */
function pathIn(extension: Buffer): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < extension.length; ) {
    const [start, digits] = /^([1-9]\d{0,5}) /.exec(extension.toString('latin1', at, at + 7)) ?? [];
    if (start === undefined) throw new BrokenArchive('an extended header is damaged');
    const record = extension.toString('utf8', at + start.length, at + Number(digits) - 1);
    if (record.startsWith('path=')) path = record.slice('path='.length);
    at += Number(digits);
  }
  return path;
}

function headerOf(kind: string, [prefix, rest]: [prefix: string, rest: string], size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(rest, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (size < MAX_OCTAL_SIZE) header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  else {
    header.writeUInt8(0x80, 124);
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write('00000000000\0', 136);
  header.write(kind, 156);
  header.write('ustar\0' + '00', 257);
  header.write(prefix, 345);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Splits a long name at a slash: 155 bytes before it, 100 after; `undefined` if there is no such slash. */
function splitName(name: string): [prefix: string, rest: string] | undefined {
  if (Buffer.byteLength(name) <= 100) return ['', name];
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)];
    if (Buffer.byteLength(rest) <= 100 && Buffer.byteLength(prefix) <= 155) return [prefix, rest];
  }
  return undefined;
}

function readHeader(header: Buffer): { kind: string; name: string; size: number } {
  if (Number.parseInt(textAt(header, 148, 8), 8) !== sumOf(header))
    throw new BrokenArchive('it is not an archive of this program, or is damaged');
  const kind = textAt(header, 156, 1);
  const name = [textAt(header, 345, 155), textAt(header, 0, 100)].filter(Boolean).join('/');
  if (kind !== FILE && kind !== '' && kind !== EXTENSION)
    throw new BrokenArchive(`${name} is not a regular file`);
  const isBinary = header.readUInt8(124) === 0x80;
  const size = isBinary ? Number(header.readBigUInt64BE(128)) : Number.parseInt(textAt(header, 124, 12), 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new BrokenArchive(`${name} has no readable size`);
  return { kind, name, size };
}

const textAt = (header: Buffer, at: number, length: number): string =>
  header
    .subarray(at, at + length)
    .toString('utf8')
    .replace(/\0.*$/s, '');

/** Of all bytes, with the eight of the checksum itself counted as spaces. */
function sumOf(header: Buffer): number {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 0x20 : byte;
  return sum;
}

function createByteReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0) as Buffer;

  /** From one byte up to `most`. */
  async function some(most: number): Promise<Buffer> {
    while (rest.length === 0) {
      const { done, value } = await chunks.next();
      if (done) throw new BrokenArchive('it is cut short');
      rest = value;
    }
    const piece = rest.subarray(0, most);
    rest = rest.subarray(most);
    return piece;
  }

  return {
    some,
    async take(count: number): Promise<Buffer> {
      const pieces: Buffer[] = [];
      for (let left = count; left > 0; ) {
        const piece = await some(left);
        pieces.push(piece);
        left -= piece.length;
      }
      return Buffer.concat(pieces);
    },
    async drain(): Promise<void> {
      while (!(await chunks.next()).done);
    },
  };
}
