import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSql } from '../../src/store/sql/open.ts';
import { DEMO, manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { sqliteFile } from '../real/database-tools.ts';
import { availablePairs } from './use-app.ts';

describe.each(availablePairs)('contract 9.4: a module does only what was accepted ($name)', ({ open }) => {
  const running = useModules({
    open,
    write: async (dir) => {
      await dir.write(manifestOf('Demo', { reads: ['calls'], writes: ['employees'] }), DEMO);
      await dir.write(manifestOf('Other', { settings: { tries: { type: 'integer', default: 2 } } }));
    },
    enable: ['Demo'],
  });
  const { asAdmin } = running;
  const version = (number: string, rights: object) =>
    running.dir.write(manifestOf('Demo', { version: number, ...rights }), DEMO);
  const read = async () => (await asAdmin('GET', '/modules/Demo')).body.data;
  async function forgetAccepted(): Promise<void> {
    const { settings } = running.stores;
    const url = settings.PBXCORE_DATABASE_URL;
    const store = await openSql(url ? { url } : { file: sqliteFile(running.stores) });
    await store.db.updateTable('modules').set({ accepted: '' }).execute();
    await store.close();
  }
  const answers = async () => (await asAdmin('GET', '/module-demo/tasks')).status;

  test.each([
    { rights: { reads: ['calls', 'bans'], writes: ['employees'] }, also: 'reads bans' },
    { rights: { reads: ['calls'], writes: ['employees', 'firewall'] }, also: 'changes firewall' },
    {
      rights: { reads: ['calls'], writes: ['sip-providers'], acts: ['hangup', 'originate'] },
      also: 'changes sip-providers and acts on calls (hangup, originate)',
    },
  ])('a version put in its place that $also is not started with the service', async ({ rights, also }) => {
    await version('2.0.0', rights);
    await running.app.restart();
    expect(await read()).toMatchObject({
      version: '2.0.0',
      disabled: true,
      disableReasonText: `this version also ${also}: enable it to accept that`,
      endpoints: [],
    });
    expect(await answers()).toBe(404);
  });

  test('a right that a version dropped must be accepted again; enabling a version accepts all its rights', async () => {
    await version('3.0.0', { acts: ['hangup'] });
    expect((await asAdmin('POST', '/modules/Demo:enable')).body.data.disabled).toBe(false);
    await running.app.restart();
    expect(await read()).toMatchObject({ disabled: false, acts: ['hangup'] });
    expect(await answers()).toBe(200);
    await version('3.1.0', { acts: ['hangup'], reads: ['calls'] });
    await running.app.restart();
    expect((await read()).disableReasonText).toBe('this version also reads calls: enable it to accept that');
    expect((await asAdmin('POST', '/modules/Demo:enable')).status).toBe(200);
  });

  test(':restart loads the current files, and disables the module if they need more rights', async () => {
    await version('4.0.0', { acts: ['hangup'] });
    expect((await asAdmin('POST', '/modules/Demo:restart')).body.data).toMatchObject({
      version: '4.0.0',
      disabled: false,
    });
    await version('4.1.0', { acts: ['hangup', 'transfer'] });
    expect(await asAdmin('POST', '/modules/Demo:restart')).toMatchObject({
      status: 200,
      body: {
        data: {
          disabled: true,
          disableReason: 'DisabledByException',
          disableReasonText: 'this version also acts on calls (transfer): enable it to accept that',
        },
      },
    });
    expect(await answers()).toBe(404);
  });

  test(':restart of a disabled module is 409, because it would accept rights unasked', async () => {
    expect((await asAdmin('POST', '/modules/Demo:disable')).status).toBe(200);
    expect(await asAdmin('POST', '/modules/Demo:restart')).toMatchObject({
      status: 409,
      body: { messages: { error: ['module Demo is disabled: enable it'] } },
    });
    expect((await asAdmin('POST', '/modules/Missing:restart')).status).toBe(404);
  });

  test(':enable of a running module accepts nothing, because its files may have changed', async () => {
    await version('5.0.0', { acts: ['hangup'] });
    expect((await asAdmin('POST', '/modules/Demo:enable')).status).toBe(200);
    await version('5.1.0', { acts: ['hangup'], writes: ['firewall'] });
    expect((await asAdmin('POST', '/modules/Demo:enable')).status).toBe(200);
    expect((await asAdmin('POST', '/modules/Demo:restart')).body.data.disableReasonText).toBe(
      'this version also changes firewall: enable it to accept that',
    );
  });

  test('the rights of a module enabled before the upgrade are accepted at its next start', async () => {
    await version('6.0.0', { reads: ['calls'] });
    expect((await asAdmin('POST', '/modules/Demo:enable')).status).toBe(200);
    await forgetAccepted();
    await running.app.restart();
    expect(await read()).toMatchObject({ disabled: false });
    await version('6.1.0', { reads: ['calls', 'bans'] });
    await running.app.restart();
    expect((await read()).disableReasonText).toBe('this version also reads bans: enable it to accept that');
  });

  test('a missing folder does not end the running module, and :restart is 422', async () => {
    expect((await asAdmin('POST', '/modules/Demo:enable')).status).toBe(200);
    await rename(join(running.dir.path, 'Demo'), join(running.dir.path, '.away'));
    expect((await asAdmin('POST', '/modules/Demo:restart')).status).toBe(422);
    expect((await asAdmin('PATCH', '/modules/Other', { settings: { tries: 3 } })).status).toBe(200);
    expect(await answers()).toBe(200);
    await rename(join(running.dir.path, '.away'), join(running.dir.path, 'Demo'));
  });

  test(':restart of a module that cannot start is 422 with the reason and disables it', async () => {
    expect((await asAdmin('POST', '/modules/Demo:enable')).status).toBe(200);
    await running.dir.write(manifestOf('Demo'), "throw new Error('it does not start');");
    expect(await asAdmin('POST', '/modules/Demo:restart')).toMatchObject({
      status: 422,
      body: { messages: { error: [expect.stringContaining('it does not start')] } },
    });
    expect((await read()).disabled).toBe(true);
  });
});
