import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import { RuleBroken } from '../../lib/errors.ts';
import { nameProblem } from './archive-name.ts';

export interface ArchiveFile {
  /** Segments joined by `/`. */
  readonly name: string;
  readonly content: Buffer;
}

/** A module is code and a few small assets: anything larger is a mistake or an attack. */
export const ARCHIVE_LIMITS = {
  archiveBytes: 20 * 1024 * 1024,
  files: 2000,
  fileBytes: 16 * 1024 * 1024,
  totalBytes: 64 * 1024 * 1024,
  /** Ordinary text shrinks to a tenth, rarely to a fiftieth of its size. */
  ratio: 200,
} as const;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const ENCRYPTED = 0x0001 | 0x0040 | 0x2000;
const UNIX = 3;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
const LINK = 0o120000;

/** The archive cannot be installed, whoever made it. */
export class ArchiveRefused extends RuleBroken {}

const refuse = (reason: string) => new ArchiveRefused(`the archive is refused: ${reason}`);

/** Reads a ZIP archive from any source. An archive with anything odd in it is refused as a whole. */
export function readZip(archive: Buffer): ArchiveFile[] {
  return packedFiles(archive).map(({ entry, data }) => ({ name: entry.name, content: unpack(entry, data) }));
}

/** The same, but leaves room for other work: it unpacks one file per turn. */
export async function readZipSlowly(archive: Buffer): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = [];
  for (const { entry, data } of packedFiles(archive)) {
    files.push({ name: entry.name, content: unpack(entry, data) });
    await nextTurn();
  }
  return files;
}

function packedFiles(archive: Buffer) {
  if (archive.length > ARCHIVE_LIMITS.archiveBytes)
    throw refuse(`it has more than ${ARCHIVE_LIMITS.archiveBytes} bytes`);
  const { count, start, end } = findDirectory(archive);
  if (count > ARCHIVE_LIMITS.files) throw refuse(`it has more than ${ARCHIVE_LIMITS.files} entries`);
  const entries = readDirectory(archive, count, start, end);
  checkSizes(entries);
  checkNames(entries);
  const ranges = entries.map((entry) => ({ entry, ...rangeOf(archive, entry, start) }));
  // A small file can unpack to petabytes if its entries share their bytes.
  ranges.sort((a, b) => a.from - b.from);
  ranges.forEach(({ from, entry }, i) => {
    if (i > 0 && from < (ranges[i - 1]?.to ?? 0)) throw refuse(`${entry.name} overlaps another entry`);
  });
  return ranges;
}

function findDirectory(archive: Buffer) {
  const last = archive.length - END_BYTES;
  for (let at = last; at >= 0 && at >= last - 0xffff; at--) {
    if (archive.readUInt32LE(at) !== END || archive.readUInt16LE(at + 20) !== last - at) continue;
    const [disk, firstDisk] = [archive.readUInt16LE(at + 4), archive.readUInt16LE(at + 6)];
    const [here, count] = [archive.readUInt16LE(at + 8), archive.readUInt16LE(at + 10)];
    const [size, start] = [archive.readUInt32LE(at + 12), archive.readUInt32LE(at + 16)];
    if (disk !== 0 || firstDisk !== 0 || here !== count) throw refuse('it is one part of several');
    if (count === 0xffff || start === 0xffffffff) throw refuse('it is a ZIP64 archive, far too large');
    if (start + size > at) throw refuse('its directory lies outside the file');
    return { count, start, end: start + size };
  }
  throw refuse('it is not a ZIP file, or is cut short');
}

function readDirectory(archive: Buffer, count: number, start: number, end: number): Entry[] {
  const entries: Entry[] = [];
  let at = start;
  for (let i = 0; i < count; i++) {
    if (at + CENTRAL_BYTES > end || archive.readUInt32LE(at) !== CENTRAL)
      throw refuse('its directory is broken');
    const nameBytes = archive.readUInt16LE(at + 28);
    const next =
      at + CENTRAL_BYTES + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    if (next > end) throw refuse('its directory is broken');
    const name = readName(archive.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes));
    const problem = nameProblem(name) ?? kindProblem(archive, at, name);
    if (problem) throw refuse(`entry "${name.slice(0, 200)}" ${problem}`);
    if (!name.endsWith('/'))
      entries.push({
        name,
        method: archive.readUInt16LE(at + 10),
        crc: archive.readUInt32LE(at + 16),
        packedBytes: archive.readUInt32LE(at + 20),
        bytes: archive.readUInt32LE(at + 24),
        offset: archive.readUInt32LE(at + 42),
      });
    at = next;
  }
  return entries;
}

function readName(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('a name in it is not UTF-8');
  }
}

/** Only plain files and folders are unpacked: no links, devices or pipes. */
function kindProblem(archive: Buffer, at: number, name: string): string | undefined {
  if ((archive.readUInt16LE(at + 8) & ENCRYPTED) !== 0) return 'is encrypted';
  const madeBy = archive.readUInt8(at + 5);
  const type = madeBy === UNIX ? (archive.readUInt32LE(at + 38) >>> 16) & FILE_TYPE : 0;
  if (type === LINK) return 'is a symbolic link';
  if (type !== 0 && type !== (name.endsWith('/') ? FOLDER : REGULAR)) return 'is not a regular file';
  return undefined;
}

function checkSizes(entries: readonly Entry[]): void {
  const { fileBytes, totalBytes, ratio } = ARCHIVE_LIMITS;
  let total = 0;
  for (const { name, bytes, packedBytes } of entries) {
    if (bytes > fileBytes) throw refuse(`${name} has more than ${fileBytes} bytes`);
    if (bytes > 65_536 && bytes > packedBytes * ratio)
      throw refuse(`${name} grows more than ${ratio} times when unpacked`);
    total += bytes;
  }
  if (total > totalBytes) throw refuse(`it unpacks to more than ${totalBytes} bytes`);
}

/** Names that differ on one file system may be the same file on another. */
function checkNames(entries: readonly Entry[]): void {
  const seen = new Set<string>();
  for (const { name } of entries) {
    const key = name.normalize('NFC').toLowerCase();
    if (seen.has(key)) throw refuse(`${name} appears twice`);
    seen.add(key);
  }
  for (const key of seen)
    for (let cut = key.lastIndexOf('/'); cut > 0; cut = key.lastIndexOf('/', cut - 1))
      if (seen.has(key.slice(0, cut))) throw refuse(`${key.slice(0, cut)} is both a file and a folder`);
}

/** What the entry itself declares must agree with the directory: some programs believe one, some the other. */
function rangeOf(archive: Buffer, entry: Entry, directory: number) {
  const { offset, name, packedBytes, method } = entry;
  if (offset + LOCAL_BYTES > directory || archive.readUInt32LE(offset) !== LOCAL)
    throw refuse(`${name} lies outside the file`);
  const nameEnd = offset + LOCAL_BYTES + archive.readUInt16LE(offset + 26);
  const from = nameEnd + archive.readUInt16LE(offset + 28);
  const to = from + packedBytes;
  if (to > directory) throw refuse(`${name} lies outside the file`);
  const ownName = archive.subarray(offset + LOCAL_BYTES, nameEnd).toString('utf8');
  if (ownName !== name || archive.readUInt16LE(offset + 8) !== method)
    throw refuse(`${name.slice(0, 200)} is described in two ways`);
  return { from: offset, to, data: archive.subarray(from, to) };
}

function unpack({ name, method, bytes, crc }: Entry, data: Buffer): Buffer {
  const content = method === 0 ? data : method === 8 ? inflate(name, data, bytes) : undefined;
  if (!content) throw refuse(`${name} uses an unknown compression method`);
  if (content.length !== bytes || crc32(content) !== crc) throw refuse(`${name} is damaged`);
  return content;
}

/** The declared size may be a lie, so no more than that is ever unpacked. */
function inflate(name: string, data: Buffer, bytes: number): Buffer {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(bytes, 1) });
  } catch {
    throw refuse(`${name} is damaged or larger than it says`);
  }
}
