import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { connectSlowClient, type SlowClient } from '../slow-client.ts';

const MB = 1024 * 1024;
const PATH = '/module-hoard/things';
/** Which gzip makes no smaller than half. */
const CODE = `import { randomBytes } from 'node:crypto';
const text = randomBytes(2 * ${MB} - 500).toString('hex');
export default { resources: [{
  path: '/pbxcore/api/v3${PATH}', permission: 'x', channels: ['public'], fields: {},
  actions: [
    { name: 'large', verb: 'GET', handle: () => ({ text }) },
    { name: 'small', verb: 'GET', handle: () => ({ text: 'x' }) },
  ],
}] };`;

describe('answers of a module that nobody reads', () => {
  const running = useModules({
    limits: { unreadBytes: 29 * MB },
    write: async (dir) => {
      await dir.write(manifestOf('Hoard'), CODE);
      await dir.write(
        manifestOf('Other', { slug: 'other' }),
        CODE.replaceAll('module-hoard', 'module-other'),
      );
    },
    enable: ['Hoard', 'Other'],
  });

  test('hold no more of the memory of all than they may: further large ones are 503, until they are read or the client is gone', async () => {
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
});
