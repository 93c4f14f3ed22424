import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { makeApp } from '../make-app.ts';
import { DEMO, manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { availablePairs } from './use-app.ts';

describe('contract 9.4: /modules', () => {
  const running = useModules({
    limits: { startMs: 60_000, stopMs: 20_000 },
    write: async (dir) => {
      await dir.write(manifestOf('Demo', { description: 'Shows things', min_pbx_version: '2026.1.1' }), DEMO);
      await dir.write('{ not json', '', {}, 'Broken');
    },
  });
  const { asAdmin } = running;

  test('a newly installed module is off, and a broken one is listed with its reason', async () => {
    const { body } = await asAdmin('GET', '/modules');
    expect(body.data).toEqual([
      expect.objectContaining({
        id: 'Broken',
        disabled: true,
        disableReason: 'DisabledByException',
        disableReasonText: 'module.json is not valid JSON',
      }),
      {
        id: 'Demo',
        name: 'The Demo',
        version: '1.0.0',
        developer: 'Somebody',
        description: 'Shows things',
        disabled: true,
        disableReason: '',
        disableReasonText: '',
        min_pbx_version: '2026.1.1',
        generation: 3,
        endpoints: [],
        reads: [],
        writes: [],
        acts: [],
        settings: {},
        settingFields: {},
      },
    ]);
    expect((await asAdmin('GET', '/module-demo/tasks')).status).toBe(404);
    expect((await asAdmin('POST', '/modules/Broken:enable')).status).toBe(422);
    expect((await asAdmin('GET', '/modules/Nobody')).status).toBe(404);
    expect((await asAdmin('POST', '/modules/Nobody:enable')).status).toBe(404);
    expect((await asAdmin('GET', '/modules/1bad')).status).toBe(404);
  });

  test('enabling and disabling take effect at once, survive a restart and name their reason', async () => {
    const on = await asAdmin('POST', '/modules/Demo:enable');
    expect(on.body.data).toMatchObject({ disabled: false, disableReason: '' });
    expect(on.body.data.endpoints).toContainEqual({
      verb: 'GET',
      path: '/pbxcore/api/v3/module-demo/tasks',
      channels: ['bearer_token'],
    });
    expect((await asAdmin('GET', '/modules/Demo:getModuleInfo')).body.data).toEqual(on.body.data);
    expect((await asAdmin('GET', '/module-demo/tasks')).status).toBe(200);
    await running.app.restart();
    expect((await asAdmin('GET', '/module-demo/tasks')).status).toBe(200);
    const off = await asAdmin('POST', '/modules/Demo:disable', { reasonText: 'not today' });
    expect(off.body.data).toMatchObject({
      disabled: true,
      disableReason: 'DisabledByUser',
      disableReasonText: 'not today',
      endpoints: [],
    });
    expect((await asAdmin('GET', '/module-demo/tasks')).status).toBe(404);
    const document = (await asAdmin('GET', '/openapi:getSpecification')).text;
    expect(document).not.toContain('module-demo');
    await running.app.restart();
    expect((await asAdmin('GET', '/module-demo/tasks')).status).toBe(404);
    expect((await asAdmin('POST', '/modules/Demo:disable', { reason: 'Whatever' })).status).toBe(400);
  });

  test('stored records survive disabling the module', async () => {
    await asAdmin('POST', '/modules/Demo:enable');
    await asAdmin('POST', '/module-demo/notes', { text: 'stay' });
    await asAdmin('POST', '/modules/Demo:disable');
    await asAdmin('POST', '/modules/Demo:enable');
    expect((await asAdmin('GET', '/module-demo/notes')).body.data).toMatchObject([{ text: 'stay' }]);
  });

  test('a second module with the same slug is refused, and the first keeps running', async () => {
    await asAdmin('POST', '/modules/Demo:enable');
    await running.dir.write(manifestOf('Rival', { slug: 'demo' }), DEMO);
    const { status, body } = await asAdmin('POST', '/modules/Rival:enable');
    expect(status).toBe(409);
    expect(body.messages.error[0]).toContain('taken by the module Demo');
    expect((await asAdmin('GET', '/module-demo/tasks')).status).toBe(200);
    expect((await asAdmin('GET', '/modules/Rival')).body.data.disabled).toBe(true);
  });

  test('requests to other modules and answers under way survive enabling and disabling', async () => {
    const slow = `let begun = false;
      export default { resources: [{ path: '/pbxcore/api/v3/module-slow/x', permission: 'x', channels: ['localhost'],
      list: async () => { begun = true; await new Promise((r) => setTimeout(r, 300)); return [1]; },
      actions: [{ name: 'begun', verb: 'GET', handle: () => ({ begun }) }] }] };`;
    await running.dir.write(manifestOf('Slow'), slow);
    await asAdmin('POST', '/modules/Slow:enable');
    const underWay = running.call('GET', '/module-slow/x');
    const others = Array.from({ length: 50 }, () => asAdmin('GET', '/module-demo/tasks'));
    await eventually(async () =>
      expect((await running.call('GET', '/module-slow/x:begun')).body.data).toEqual({ begun: true }),
    );
    expect((await asAdmin('POST', '/modules/Slow:disable')).status).toBe(200);
    expect((await underWay).body.data).toEqual([1]);
    for (const answer of await Promise.all(others)) expect(answer.status).toBe(200);
    expect((await running.call('GET', '/module-slow/x')).status).toBe(404);
  });

  test('a slow start of a module keeps nobody waiting and can be ended by disabling it', async () => {
    const never = 'export default { resources: [], start: () => new Promise(() => {}) };';
    await running.dir.write(manifestOf('Never'), never);
    let isOver = false;
    const enabling = asAdmin('POST', '/modules/Never:enable').finally(() => {
      isOver = true;
    });
    await eventually(async () =>
      expect((await asAdmin('GET', '/modules/Never')).body.data.disabled).toBe(false),
    );
    expect((await asAdmin('POST', '/modules/Demo:disable')).status).toBe(200);
    expect((await asAdmin('POST', '/modules/Demo:enable')).status).toBe(200);
    expect((await asAdmin('GET', '/module-demo/tasks')).status).toBe(200);
    expect(isOver).toBe(false);
    const { body } = await asAdmin('POST', '/modules/Never:disable');
    expect(body.data).toMatchObject({ disabled: true, disableReason: 'DisabledByUser' });
    expect((await enabling).body.data).toMatchObject({ disabled: true, disableReason: 'DisabledByUser' });
  });

  test('settings are checked, masked, and passed to the module, which restarts with them', async () => {
    const settings = {
      url: { type: 'string', default: 'none' },
      key: { type: 'string', secret: true },
      tries: { type: 'integer', min: 1, max: 5, default: 2 },
    };
    const code = `export default (context) => ({ resources: [{ path: '/pbxcore/api/v3/module-set/x', permission: 'x', channels: ['localhost'], list: () => [context.settings] }] });`;
    await running.dir.write(manifestOf('Set', { settings }), code);
    await asAdmin('POST', '/modules/Set:enable');
    expect((await running.call('GET', '/module-set/x')).body.data).toEqual([{ url: 'none', tries: 2 }]);
    const changed = await asAdmin('PATCH', '/modules/Set', { settings: { key: 'hush', tries: 3 } });
    expect(changed.body.data.settings).toEqual({ url: 'none', key: 'XXXXXXXX', tries: 3 });
    expect(changed.body.data.settingFields).toEqual(settings);
    expect((await running.call('GET', '/module-set/x')).body.data).toEqual([
      { url: 'none', key: 'hush', tries: 3 },
    ]);
    await asAdmin('PATCH', '/modules/Set', { settings: { key: 'XXXXXXXX', url: 'u' } });
    expect((await running.call('GET', '/module-set/x')).body.data).toEqual([
      { url: 'u', key: 'hush', tries: 3 },
    ]);
    expect((await asAdmin('PATCH', '/modules/Set', { settings: { tries: 9 } })).status).toBe(400);
    expect((await asAdmin('PATCH', '/modules/Set', { settings: { other: 1 } })).status).toBe(400);
  });
});

describe.each(availablePairs.filter(({ name }) => name.startsWith('PostgreSQL')))(
  'several nodes on $name',
  ({ open }) => {
    const running = useModules({ open, write: (dir) => dir.write(manifestOf('Demo'), DEMO) });

    test('a node follows changes made on another node and shares the stored records', async () => {
      const other = await makeApp(running.stores, {
        ...running.dir.settings,
        PBXCORE_DATA_DIR: `${running.dir.path}/.data`,
      });
      try {
        const token = await running.app.admin();
        await running.asAdmin('POST', '/modules/Demo:enable');
        await eventually(async () =>
          expect((await other.call('GET', '/module-demo/tasks', { token })).status).toBe(200),
        );
        await running.asAdmin('POST', '/module-demo/notes', { text: 'shared' });
        expect((await other.call('GET', '/module-demo/notes', { token })).body.data).toMatchObject([
          { text: 'shared' },
        ]);
        await other.call('POST', '/modules/Demo:disable', { token, body: {} });
        await eventually(async () =>
          expect((await running.asAdmin('GET', '/module-demo/tasks')).status).toBe(404),
        );
      } finally {
        await other.close();
      }
    });
  },
);
