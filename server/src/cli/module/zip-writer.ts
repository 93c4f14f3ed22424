import { crc32, deflateRawSync } from 'node:zlib';
import type { ArchiveFile } from '../../module-host/folder/module-archive.ts';

const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
const VERSION = 20;
const MADE_BY_UNIX = (3 << 8) | VERSION;
const PLAIN_FILE = (0o100644 << 16) >>> 0;
/** 1 January 1980, the first day in ZIP's calendar: the same files always produce the same archive. */
const DATE = (1 << 5) | 1;

/** A ZIP archive of these files, ordered by name. */
export function writeZip(files: readonly ArchiveFile[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of [...files].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const nameBytes = Buffer.from(name, 'utf8');
    const packed = deflateRawSync(content, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(UTF8_NAMES, 2);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);

    bodies.push(signature(0x04034b50), common, nameBytes, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(PLAIN_FILE, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(signature(0x02014b50), number16(MADE_BY_UNIX), common, rest, nameBytes);
    offset += 4 + common.length + nameBytes.length + packed.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, index, signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function number16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
