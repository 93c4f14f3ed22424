import { describe, expect, test } from 'vitest';
import { writeZip } from '../../cli/module/zip-writer.ts';
import { nameProblem, pathInside } from './archive-name.ts';
import { hostileArchives, patched } from './hostile-archives.suite.ts';
import { type ArchiveFile, readZip } from './module-archive.ts';

const file = (name: string, content: string | Buffer = 'x'): ArchiveFile => ({
  name,
  content: Buffer.from(content),
});
describe('a packed archive', () => {
  test('reads back unchanged, whatever the names and contents', () => {
    const files = [file('module.json', '{}'), file('dist/grüße.js', 'a'.repeat(5000)), file('empty', '')];
    const read = readZip(writeZip(files));
    expect(read.map(({ name }) => name).sort()).toEqual(['dist/grüße.js', 'empty', 'module.json']);
    for (const { name, content } of files)
      expect(read.find((entry) => entry.name === name)?.content).toEqual(content);
  });

  test('is the same whatever the order of the files', () => {
    const files = [file('b'), file('a')];
    expect(writeZip(files).equals(writeZip([...files].reverse()))).toBe(true);
  });
});

describe('an archive is refused as a whole', () => {
  test.each(hostileArchives)('when %s', (_why, archive, says) => {
    expect(() => readZip(archive)).toThrow(says);
  });

  test('when entries share their bytes', () => {
    const zip = writeZip([file('a', 'aaaa'), file('b', 'bbbb')]);
    const first = patched(zip, (copy, at) => {
      // The first claims the bytes of the second in addition to its own.
      copy.writeUInt32LE(copy.readUInt32LE(at + 20) + 10, at + 20);
    });
    expect(() => readZip(first)).toThrow(/overlaps/);
  });
});

test('an archive with any changed byte is read in full or refused with a reason', () => {
  const zip = writeZip([file('module.json', '{"id":"A"}'), file('dist/a.js', 'export {};')]);
  for (let at = 0; at < zip.length; at++)
    for (const value of [0x00, 0x2f, 0x7f, 0xff]) {
      const copy = Buffer.from(zip);
      copy.writeUInt8(value, at);
      try {
        for (const { name } of readZip(copy)) expect(nameProblem(name)).toBeUndefined();
      } catch (error) {
        expect((error as Error).message).toMatch(/^the archive is refused: /);
      }
    }
});

test('a path is checked again when it is joined', () => {
  expect(pathInside('/srv/modules', 'dist/a.js')).toBe('/srv/modules/dist/a.js');
  for (const name of ['..', '../x', '/etc/passwd', '.', 'a/../..'])
    expect(() => pathInside('/srv/modules', name)).toThrow(/outside/);
});
