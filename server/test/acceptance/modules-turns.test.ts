import { describe, expect, test } from 'vitest';
import { writeZip } from '../../src/cli/module/zip-writer.ts';
import { eventually } from '../eventually.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';

const shelf = (more = '') => `export default { ${more} resources: [{
  path: '/pbxcore/api/v3/module-shelf/books', permission: 'x', channels: ['bearer_token'],
  stored: true, fields: { title: { type: 'string' } } }] };`;
const FOR_EVER = 'migrate: (from, to, c) => { c.log.info("it migrates"); return new Promise(() => {}); },';

describe('contract 9.4: concurrent management of modules', () => {
  const running = useModules({
    settings: { PBXCORE_LOG_LEVEL: 'info' },
    async write(dir) {
      await dir.write(manifestOf('Shelf'), shelf());
      await dir.write(manifestOf('Other', { settings: { tries: { type: 'integer', default: 1 } } }));
    },
    enable: ['Shelf', 'Other'],
  });
  const { asAdmin } = running;

  async function install(id: string, version: string, code: string) {
    const archive = writeZip([
      { name: 'module.json', content: Buffer.from(JSON.stringify(manifestOf(id, { version }))) },
      { name: 'index.js', content: Buffer.from(code) },
    ]);
    const response = await fetch(`${running.app.origin}/pbxcore/api/v3/modules:install?replace=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await running.app.admin()}`, 'content-type': 'application/zip' },
      body: new Uint8Array(archive),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
    return { status: response.status, body: (await response.json()) as any };
  }

  test('a second replacement waits for the migration of its module; changes of other modules do not', async () => {
    expect((await asAdmin('POST', '/module-shelf/books', { title: 'Old' })).status).toBe(201);
    let over = '';
    const replacing = install('Shelf', '2.0.0', shelf(FOR_EVER)).finally(() => {
      over += 'replaced ';
    });
    await eventually(async () =>
      expect((await asAdmin('GET', '/modules/Shelf:getLog')).text).toContain('it migrates'),
    );
    const again = install('Shelf', '2.0.1', shelf()).finally(() => {
      over += 'replaced again';
    });

    const changed = await asAdmin('PATCH', '/modules/Other', { settings: { tries: 3 } });
    expect(changed.body.data).toMatchObject({ disabled: false, settings: { tries: 3 } });
    expect((await install('New', '1.0.0', shelf())).status).toBe(201);
    expect((await asAdmin('DELETE', '/modules/Other')).status).toBe(200);
    expect(over).toBe('');

    const began = performance.now();
    expect((await asAdmin('POST', '/modules/Shelf:disable')).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(20_000);
    expect((await replacing).body.data).toMatchObject({ version: '2.0.0', disabled: true });
    expect((await again).body.data).toMatchObject({ version: '2.0.1', disabled: true });
    expect(over).toBe('replaced replaced again');
  });
});
