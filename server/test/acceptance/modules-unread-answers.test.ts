import { readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { connectSlowClient, type SlowClient } from '../slow-client.ts';

const MB = 1024 * 1024;
const PATH = '/module-hoard/things';
const LIST = '/module-hoard/texts';
/** Sends text that gzip can only halve. */
const CODE = `import { randomBytes } from 'node:crypto';
const text = randomBytes(2 * ${MB} - 500).toString('hex');
const sent = (filename) => ({ $pbxcore: 'answer', fpassthru: { filename } });
export default { resources: [{
  path: '/pbxcore/api/v3${PATH}', permission: 'x', channels: ['public'], fields: {},
  actions: [
    { name: 'large', verb: 'GET', handle: () => ({ text }) },
    { name: 'small', verb: 'GET', handle: () => ({ text: 'x' }) },
    { name: 'file', verb: 'GET', handle: () => sent('large.bin') },
    { name: 'smallFile', verb: 'GET', handle: () => sent('index.js') },
  ],
}, {
  path: '/pbxcore/api/v3${LIST}', permission: 'y', channels: ['public'], stored: true,
  fields: { text: { type: 'string', max: ${MB} } },
  actions: [
    { name: 'fill', verb: 'POST', handle: async (_, { records }) => {
      for (let i = 0; i < 12; i++) await records('texts').create({ text: 'x'.repeat(${MB}) });
    } },
  ],
}] };`;

describe('unread answers of a module', () => {
  const running = useModules({
    limits: { unreadBytes: 29 * MB },
    write: async (dir) => {
      await dir.write(manifestOf('Hoard'), CODE);
      await dir.write(
        manifestOf('Other', { slug: 'other' }),
        CODE.replaceAll('module-hoard', 'module-other'),
      );
      await writeFile(join(dir.path, 'Hoard', 'large.bin'), Buffer.alloc(12 * MB));
    },
    enable: ['Hoard', 'Other'],
  });

  test('take bounded memory: further large ones are 503 until they are read or the client is gone', async () => {
    const large = (path = PATH) => running.call('GET', `${path}:large`);
    const { port } = running.app;
    const readers: SlowClient[] = [];
    for (let i = 0; i < 7; i++) {
      const reader = await connectSlowClient({ port, path: `${PATH}:large`, key: '' });
      await reader.began;
      readers.push(reader);
    }
    const refused = await large();
    expect([refused.status, refused.body.messages.error]).toEqual([
      503,
      ['too many answers of the module Hoard have not been read yet'],
    ]);
    expect((await running.call('GET', `${PATH}:small`)).status).toBe(200);
    expect((await large('/module-other/things')).status).toBe(200);
    expect(await readers.pop()?.readAll()).toMatch(/^HTTP\/1\.1 200 /);
    await eventually(async () => expect((await large()).status).toBe(200));
    for (const reader of readers) await reader.leave();
    for (let i = 0; i < 10; i++) expect((await large()).status).toBe(200);
  });

  test('are bounded for lists and files too, including what is read ahead of them', async () => {
    const { port } = running.app;
    const begin = async (path: string) => {
      const reader = await connectSlowClient({ port, path, key: '' });
      await reader.began;
      return reader;
    };
    const openFiles = async () => {
      const names = await readdir('/proc/self/fd');
      const targets = await Promise.all(
        names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
      );
      return targets.filter((target) => target.endsWith('large.bin')).length;
    };
    const list = () => running.call('GET', LIST);
    const file = () => running.call('GET', `${PATH}:file`);
    const tooMany = ['too many answers of the module Hoard have not been read yet'];
    expect((await running.call('POST', `${LIST}:fill`)).status).toBe(200);
    const lists: SlowClient[] = [];
    for (let i = 0; i < 7; i++) lists.push(await begin(LIST));
    const refused = await list();
    expect([refused.status, refused.body.messages.error]).toEqual([503, tooMany]);
    // Of a file, no more is held than a small part of a list.
    const files: SlowClient[] = [];
    for (let i = 0; i < 4; i++) files.push(await begin(`${PATH}:file`));
    const refusedFile = await file();
    expect([refusedFile.status, refusedFile.body.messages.error]).toEqual([503, tooMany]);
    await eventually(async () => expect(await openFiles()).toBe(4));
    for (const name of ['small', 'smallFile'])
      expect((await running.call('GET', `${PATH}:${name}`)).status).toBe(200);
    expect(await lists.pop()?.readAll()).toMatch(/^HTTP\/1\.1 200 /);
    await eventually(async () => expect((await list()).status).toBe(200));
    for (const reader of [...lists, ...files]) await reader.leave();
    await eventually(async () => expect(await openFiles()).toBe(0));
    // All room is free again: as many answers at once as fit.
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 7 }, list));
      expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(200));
    });
  });
});
