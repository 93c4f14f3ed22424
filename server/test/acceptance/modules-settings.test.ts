import { describe, expect, test } from 'vitest';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { availablePairs } from './use-app.ts';

const SETTINGS = {
  url: { type: 'string', default: 'none' },
  key: { type: 'string', secret: true },
  tries: { type: 'integer', min: 1, max: 9, default: 2 },
};
/** Fails to start with more than five tries. */
const CODE = `export default (context) => {
  if (context.settings.tries > 5) throw new Error('more than five tries');
  return { resources: [{ path: '/pbxcore/api/v3/module-set/x', permission: 'x', channels: ['localhost'],
    list: () => [context.settings] }] };
};`;

describe.each(availablePairs)('contract 9.4: settings of a module ($name)', ({ open }) => {
  const running = useModules({
    open,
    settings: { PBXCORE_LOG_LEVEL: 'info' },
    write: (dir) => dir.write(manifestOf('Set', { settings: SETTINGS }), CODE),
    enable: ['Set'],
  });
  const { asAdmin } = running;
  const set = (settings: object) => asAdmin('PATCH', '/modules/Set', { settings });
  const seen = async () => (await running.call('GET', '/module-set/x')).body.data[0];
  const log = async () => (await asAdmin('GET', '/modules/Set:getLog?level=info')).body.data;

  test('settings with which the module does not start are refused with the reason, and the old ones are kept', async () => {
    await set({ url: 'u', key: 'hush' });
    expect(await set({ tries: 7, url: 'other' })).toMatchObject({
      status: 422,
      body: {
        messages: {
          error: [expect.stringMatching(/does not start with these settings: .*five tries.* are kept$/)],
        },
      },
    });
    expect(await seen()).toEqual({ url: 'u', key: 'hush', tries: 2 });
    expect((await asAdmin('GET', '/modules/Set')).body.data).toMatchObject({
      disabled: false,
      settings: { url: 'u', key: 'XXXXXXXX', tries: 2 },
    });
  });

  test('concurrent changes are applied completely or not at all, and the module keeps running', async () => {
    const answers = await Promise.all([
      set({ tries: 3 }),
      set({ tries: 8 }),
      set({ url: 'v' }),
      set({ tries: 9, url: 'w' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 200, 422]);
    expect(await seen()).toEqual({ url: 'v', key: 'hush', tries: 3 });
  });

  test('a disabled module accepts any valid settings; enabling it fails if it does not start with them', async () => {
    await asAdmin('POST', '/modules/Set:disable');
    expect((await set({ tries: 6 })).status).toBe(200);
    expect(await asAdmin('POST', '/modules/Set:enable')).toMatchObject({ status: 422 });
    expect((await set({ tries: 4 })).status).toBe(200);
    expect((await asAdmin('POST', '/modules/Set:enable')).status).toBe(200);
  });

  test('one or several settings can be reset, even secret ones; unknown names are refused', async () => {
    const reset = (...names: unknown[]) => asAdmin('PATCH', '/modules/Set', { reset: names });
    expect((await reset('tries')).body.data.settings).toEqual({ url: 'v', key: 'XXXXXXXX', tries: 2 });
    expect((await reset('url', 'key')).body.data.settings).toEqual({ url: 'none', key: null, tries: 2 });
    expect(await seen()).toEqual({ url: 'none', tries: 2 });
    expect(await reset('other')).toMatchObject({
      status: 400,
      body: { messages: { error: ['reset: there is no setting "other"'] } },
    });
    for (const wrong of [[7], 'tries'])
      expect((await asAdmin('PATCH', '/modules/Set', { reset: wrong })).status).toBe(400);
    const both = await asAdmin('PATCH', '/modules/Set', { settings: { url: 'z' }, reset: ['tries'] });
    expect(both.body.data.settings).toMatchObject({ url: 'z', tries: 2 });
  });

  test('the log of a module says who enabled, disabled or set it, without any value', async () => {
    const { key, id } = await running.app.createKey({
      description: 'the provisioner',
      allowed_paths: { '/api/v3/modules': 'write' },
    });
    await running.call('PATCH', '/modules/Set', { key, body: { settings: { key: 'not-for-the-log' } } });
    await running.call('POST', '/modules/Set:disable', { key, body: { reasonText: 'not today' } });
    await asAdmin('POST', '/modules/Set:enable');
    const lines = (await log()).map(({ text, fields }: { text: string; fields: object }) => ({
      text,
      ...fields,
    }));
    expect(lines).toContainEqual({ text: 'switched on', by: 'admin' });
    expect(lines).toContainEqual({
      text: 'settings not changed: it did not start with them',
      by: 'admin',
      settings: ['tries', 'url'],
      reset: [],
      reason: expect.stringContaining('five tries'),
    });
    expect(lines.slice(-3)).toEqual([
      { text: 'settings changed', by: `key ${id} "the provisioner"`, settings: ['key'], reset: [] },
      {
        text: 'switched off',
        by: `key ${id} "the provisioner"`,
        reason: 'DisabledByUser',
        reasonText: 'not today',
      },
      { text: 'switched on', by: 'admin' },
    ]);
    expect(JSON.stringify(await log())).not.toMatch(/not-for-the-log|hush/);
  });
});
