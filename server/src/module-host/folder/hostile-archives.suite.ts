import { writeZip } from '../../cli/module/zip-writer.ts';
import { ARCHIVE_LIMITS, type ArchiveFile } from './module-archive.ts';

const file = (name: string, content: string | Buffer = 'x'): ArchiveFile => ({
  name,
  content: Buffer.from(content),
});
/** Where the directory of an archive begins, which is where its first entry is. */
const directoryOf = (zip: Buffer) => zip.readUInt32LE(zip.length - 6);
export const patched = (zip: Buffer, change: (copy: Buffer, directory: number) => void): Buffer => {
  const copy = Buffer.from(zip);
  change(copy, directoryOf(copy));
  return copy;
};
const one = writeZip([file('a.js', 'export const a = 1;\n'.repeat(20))]);

/** Archives that are refused as a whole, with the wording of the refusal; for all tests that use archives. */
export const hostileArchives: [why: string, archive: Buffer, says: RegExp][] = [
  ['it is no archive', Buffer.from('PK\x03\x04 nothing of the kind'), /not a ZIP file/],
  ['it is empty', Buffer.alloc(0), /not a ZIP file/],
  ['it is cut short', one.subarray(0, one.length - 5), /not a ZIP file/],
  ['a name climbs', writeZip([file('../evil.js')]), /leads out/],
  ['a name climbs in the middle', writeZip([file('dist/../../evil.js')]), /leads out/],
  ['a name is absolute', writeZip([file('/etc/passwd')]), /absolute path/],
  ['a name has a drive', writeZip([file('C:evil.js')]), /absolute path/],
  ['a name has a backslash', writeZip([file('..\\evil.js')]), /backslash/],
  ['a name has a control character', writeZip([file('a\nb')]), /control characters/],
  ['a name has an empty part', writeZip([file('a//b')]), /empty part/],
  ['a name is not UTF-8', patched(one, (zip, at) => zip.writeUInt8(0xff, at + 46)), /not UTF-8/],
  ['a name is there twice', writeZip([file('a.js'), file('A.js')]), /appears twice/],
  ['a file is a folder too', writeZip([file('a'), file('a/b')]), /both a file and a folder/],
  [
    'an entry is a symbolic link',
    patched(one, (zip, at) => zip.writeUInt32LE((0o120777 << 16) >>> 0, at + 38)),
    /symbolic link/,
  ],
  [
    'an entry is a device',
    patched(one, (zip, at) => zip.writeUInt32LE((0o060666 << 16) >>> 0, at + 38)),
    /not a regular file/,
  ],
  ['an entry is encrypted', patched(one, (zip, at) => zip.writeUInt16LE(1, at + 8)), /encrypted/],
  [
    'an entry is packed unusually',
    patched(one, (zip, at) => {
      for (const place of [at + 10, 8]) zip.writeUInt16LE(14, place);
    }),
    /unknown compression method/,
  ],
  [
    'the two descriptions of an entry differ',
    patched(one, (zip) => zip.write('b', 30)),
    /described in two ways/,
  ],
  ['a byte is damaged', patched(one, (zip) => zip.writeUInt8(zip.readUInt8(40) ^ 0xff, 40)), /damaged/],
  [
    'an entry is larger than it says',
    patched(one, (zip, at) => zip.writeUInt32LE(10, at + 24)),
    /larger than it says/,
  ],
  ['a file grows too much', writeZip([file('bomb', Buffer.alloc(8 * 1024 * 1024))]), /grows more than/],
  [
    'a file is too large',
    patched(one, (zip, at) => zip.writeUInt32LE(ARCHIVE_LIMITS.fileBytes + 1, at + 24)),
    /has more than/,
  ],
  [
    'there are too many entries',
    writeZip(Array.from({ length: ARCHIVE_LIMITS.files + 1 }, (_, i) => file(`f${i}`))),
    /more than 2000 entries/,
  ],
  ['the archive is too large', Buffer.alloc(ARCHIVE_LIMITS.archiveBytes + 1), /more than 20971520 bytes/],
  [
    'it is one of several parts',
    patched(one, (zip) => zip.writeUInt16LE(1, zip.length - 18)),
    /one part of several/,
  ],
  [
    'an entry lies outside',
    patched(one, (zip, at) => zip.writeUInt32LE(at, at + 42)),
    /lies outside the file/,
  ],
  [
    'the directory is broken',
    patched(one, (zip, at) => zip.writeUInt16LE(60_000, at + 28)),
    /directory is broken/,
  ],
];
