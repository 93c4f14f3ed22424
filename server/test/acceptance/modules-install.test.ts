import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeZip } from '../../src/cli/module/zip-writer.ts';
import { hostileArchives } from '../../src/module-host/folder/hostile-archives.suite.ts';
import { openEvents } from '../event-reader.ts';
import { eventually } from '../eventually.ts';
import { DEMO, type ModulesDir, makeModulesDir, manifestOf } from '../module-fixtures.ts';
import { availablePairs, useApp } from './use-app.ts';

/** A module whose code throws if it runs. */
const zipOf = (id: string, more: object = {}, code = `throw new Error('${id} ran');`) =>
  writeZip([
    { name: 'module.json', content: Buffer.from(JSON.stringify(manifestOf(id, more))) },
    { name: 'index.js', content: Buffer.from(code) },
  ]);

describe.each(availablePairs)('contract 9.4: modules:install ($name)', ({ open }) => {
  const settings: Record<string, string> = {};
  let modules: ModulesDir;
  beforeAll(async () => {
    modules = await makeModulesDir();
    settings.PBXCORE_MODULES_DIR = modules.path;
  });
  afterAll(() => modules?.remove());
  const running = useApp(open, settings);

  /** The harness can only send text. */
  async function install(archive: Buffer, query = '', type = 'application/zip', key?: string) {
    const url = `${running.app.origin}/pbxcore/api/v3/modules:install${query}`;
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key ?? (await running.app.admin())}`, 'content-type': type },
      body: new Uint8Array(archive),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
    return { status: response.status, body: (await response.json()) as any };
  }
  const installed = async () => (await readdir(modules.path)).sort();

  test('an archive becomes a module that is listed and off, and none of its code has run', async () => {
    const answer = await install(zipOf('Sleeper'));
    expect(answer).toMatchObject({
      status: 201,
      body: {
        data: { id: 'Sleeper', version: '1.0.0', disabled: true, disableReasonText: '', endpoints: [] },
      },
    });
    expect((await running.asAdmin('GET', '/modules/Sleeper')).body.data).toEqual(answer.body.data);
    expect(await installed()).toEqual(['Sleeper']);
    expect(await running.asAdmin('POST', '/modules/Sleeper:enable')).toMatchObject({ status: 422 });
  });

  test('a module that is already installed is 409 and unchanged, unless replace is set', async () => {
    expect(await install(zipOf('Sleeper', { version: '2.0.0' }))).toMatchObject({
      status: 409,
      body: { messages: { error: ['Sleeper is installed already'] } },
    });
    expect((await running.asAdmin('GET', '/modules/Sleeper')).body.data.version).toBe('1.0.0');
    expect(await install(zipOf('Sleeper', { version: '2.0.0' }), '?replace=true')).toMatchObject({
      status: 201,
      body: { data: { version: '2.0.0', disabled: true } },
    });
    expect(await installed()).toEqual(['Sleeper']);
  });

  test('a running module is replaced by its new version at once; a version that cannot start says why', async () => {
    await install(zipOf('Demo', {}, DEMO));
    expect((await running.asAdmin('POST', '/modules/Demo:enable')).status).toBe(200);
    const next = await install(zipOf('Demo', { version: '1.1.0' }, DEMO), '?replace=1');
    expect(next.body.data).toMatchObject({ version: '1.1.0', disabled: false });
    expect(next.body.data.endpoints.length).toBeGreaterThan(0);
    const broken = await install(zipOf('Demo', { version: '1.2.0' }), '?replace=1');
    expect(broken).toMatchObject({
      status: 201,
      body: {
        data: { version: '1.2.0', disabled: true, disableReasonText: expect.stringContaining('Demo ran') },
      },
    });
  });

  test('a version with more rights than were accepted is off until it is enabled', async () => {
    await install(zipOf('Grows', { writes: ['employees'] }, DEMO.replaceAll('module-demo', 'module-grows')));
    expect((await running.asAdmin('POST', '/modules/Grows:enable')).status).toBe(200);
    const next = (version: string, writes: string[]) =>
      install(
        zipOf('Grows', { version, writes }, DEMO.replaceAll('module-demo', 'module-grows')),
        '?replace=1',
      );
    expect((await next('1.1.0', ['employees'])).body.data.disabled).toBe(false);
    expect((await next('1.2.0', ['employees', 'firewall'])).body.data).toMatchObject({
      version: '1.2.0',
      disabled: true,
      disableReasonText: 'this version also changes firewall: enable it to accept that',
    });
    expect((await running.asAdmin('POST', '/modules/Grows:enable')).body.data.disabled).toBe(false);
    expect((await next('1.3.0', [])).body.data.disabled).toBe(false);
    const acting = zipOf(
      'Grows',
      { version: '1.4.0', acts: ['hangup'] },
      DEMO.replaceAll('module-demo', 'module-grows'),
    );
    expect((await install(acting, '?replace=1')).body.data).toMatchObject({
      disabled: true,
      disableReasonText: 'this version also acts on calls (hangup): enable it to accept that',
    });
  });

  test('concurrent installs, replacements and removals of one module are answered in order', async () => {
    const rounds = Array.from({ length: 8 }, (_, i) => i);
    const answers = await Promise.all(
      rounds.flatMap((round) => [
        install(zipOf('Busy'), round % 2 ? '?replace=1' : ''),
        running.asAdmin('DELETE', `/modules/Busy${round % 4 === 3 ? '?purge=1' : ''}`),
      ]),
    );
    for (const { status, body } of answers)
      expect([200, 201, 404, 409], JSON.stringify(body)).toContain(status);
    expect((await installed()).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test.each(hostileArchives.filter(([why]) => why !== 'it is empty'))(
    'a refused archive leaves nothing behind: %s',
    async (why, archive, says) => {
      const before = await installed();
      const { status, body } = await install(archive);
      expect(status).toBe(why === 'the archive is too large' ? 413 : 422);
      expect(body.messages.error[0]).toMatch(status === 413 ? /larger than 20971520 bytes/ : says);
      expect(await installed()).toEqual(before);
    },
  );

  test('an invalid manifest is refused with its reason', async () => {
    expect(await install(zipOf('Sleepy', { generation: 9 }))).toMatchObject({
      status: 422,
      body: { messages: { error: [expect.stringMatching(/^the module cannot be used: /)] } },
    });
    expect(await installed()).not.toContain('Sleepy');
  });

  test('sources and a file in the way are not replaced, and no path of this machine is revealed', async () => {
    await writeFile(join(modules.path, 'Demo', 'tsconfig.json'), '{}');
    const sources = await install(zipOf('Demo'), '?replace=1');
    expect(sources).toMatchObject({ status: 409 });
    await writeFile(join(modules.path, 'Taken'), 'mine');
    const taken = await install(zipOf('Taken'));
    expect(taken).toMatchObject({ status: 409 });
    expect(await readFile(join(modules.path, 'Taken'), 'utf8')).toBe('mine');
    expect(JSON.stringify([sources, taken])).not.toContain(modules.path);
  });

  test('only application/zip is accepted: other types are 415, an empty body is 400', async () => {
    const zip = zipOf('Other');
    for (const type of ['application/json', 'text/csv', 'multipart/form-data; boundary=x'])
      expect(await install(zip, '', type)).toMatchObject({ status: 415 });
    expect(await running.asAdmin('POST', '/modules:install')).toMatchObject({
      status: 400,
      body: { messages: { error: ['file: required'] } },
    });
    expect(await installed()).not.toContain('Other');
  });

  test('contract 30: events report an installed module and a replaced one', async () => {
    const reader = await openEvents(running.app.port, {
      token: await running.app.admin(),
      topics: 'modules,records',
    });
    try {
      await reader.snapshot('records');
      const told = { resource: 'modules', id: 'Told', change: 'created', by: 'admin' };
      await install(zipOf('Told'));
      await reader.event('module', ({ id, state }) => id === 'Told' && state === 'disabled');
      expect((await reader.event('record', ({ id }) => id === 'Told')).data).toEqual(told);
      await install(zipOf('Told', { version: '2.0.0' }), '?replace=1');
      await eventually(() =>
        expect(reader.events.filter(({ event }) => event === 'record').map(({ data }) => data)).toEqual([
          told,
          told,
        ]),
      );
    } finally {
      reader.close();
    }
  });

  test('a broken module is repaired by replacing it, unless it is a link or holds sources', async () => {
    const at = (...names: string[]) => join(modules.path, ...names);
    await mkdir(at('Broken'));
    await writeFile(at('Broken/module.json'), '{');
    expect(await install(zipOf('Broken'))).toMatchObject({
      status: 409,
      body: { messages: { error: ['Broken is installed already'] } },
    });
    expect(await readFile(at('Broken/module.json'), 'utf8')).toBe('{');
    await writeFile(at('Broken/tsconfig.json'), '{}');
    expect(await install(zipOf('Broken'), '?replace=1')).toMatchObject({ status: 409 });
    await rm(at('Broken/tsconfig.json'));
    await symlink(at('Broken'), at('Linked'));
    expect(await install(zipOf('Linked'), '?replace=1')).toMatchObject({ status: 409 });
    expect(await install(zipOf('Broken'), '?replace=1')).toMatchObject({
      status: 201,
      body: { data: { id: 'Broken', disableReasonText: '' } },
    });
    await rm(at('Linked'));
    // A folder named like another module's id is not mistaken for that module.
    await rename(at('Broken'), at('Other'));
    expect(await install(zipOf('Other'), '?replace=1')).toMatchObject({ status: 409 });
    expect((await running.asAdmin('GET', '/modules/Broken')).status).toBe(200);
    await rm(at('Other'), { recursive: true });
  });

  test('of two concurrent installs one succeeds and the other is 409', async () => {
    const both = await Promise.all([install(zipOf('Twin')), install(zipOf('Twin'))]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test('installing needs an administrator or a key with full permissions: write on modules is not enough', async () => {
    const writer = await running.keyFor({ '/api/v3/modules': 'write' });
    expect(await install(zipOf('Forbidden'), '', undefined, writer)).toMatchObject({ status: 403 });
    const full = await running.keyFor({}, { full_permissions: true });
    expect(await install(zipOf('Allowed'), '', undefined, full)).toMatchObject({ status: 201 });
  });
});
