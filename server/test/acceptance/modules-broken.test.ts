import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEMO, manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { availablePairs } from './use-app.ts';

describe.each(availablePairs)('contract 9.4: modules whose folder is broken ($name)', ({ open }) => {
  const running = useModules({
    open,
    write: async (dir) => {
      await dir.write(manifestOf('Demo'), DEMO);
      await dir.write(manifestOf('CallNotes', { slug: 'call-notes' }), undefined, {}, 'call-notes');
    },
    enable: ['Demo', 'CallNotes'],
  });
  const { asAdmin } = running;
  const at = (...names: string[]) => join(running.dir.path, ...names);
  const read = async (id: string) => (await asAdmin('GET', `/modules/${id}`)).body.data;

  test('a module whose folder is missing is broken but enabled, and answers until the next start', async () => {
    await rename(at('Demo'), at('.hidden'));
    expect(await read('Demo')).toMatchObject({
      disabled: false,
      name: 'The Demo',
      broken: { reason: 'its folder is missing', enabled: true },
    });
    expect((await asAdmin('GET', '/module-demo/tasks')).status).toBe(200);
    await running.app.restart();
    expect(await read('Demo')).toMatchObject({
      disabled: true,
      disableReason: 'DisabledByException',
      disableReasonText: 'its folder is missing',
      endpoints: [],
      broken: { enabled: true },
    });
    expect((await asAdmin('GET', '/module-demo/tasks')).status).toBe(404);
    const { body } = await asAdmin('GET', '/modules');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['CallNotes', 'Demo']);
  });

  test('a broken module cannot be enabled but can be disabled', async () => {
    expect(await asAdmin('POST', '/modules/Demo:enable')).toMatchObject({
      status: 422,
      body: { messages: { error: ['module Demo is broken: its folder is missing'] } },
    });
    const off = await asAdmin('POST', '/modules/Demo:disable');
    expect(off).toMatchObject({ status: 200, body: { data: { broken: { enabled: false } } } });
    await running.app.restart();
    expect(await read('Demo')).toMatchObject({ disabled: true, broken: { enabled: false } });
  });

  test('when its folder is back the module is no longer broken and can be enabled', async () => {
    await rename(at('.hidden'), at('Demo'));
    const back = await read('Demo');
    expect(back).toMatchObject({ name: 'The Demo', disabled: true, disableReason: 'DisabledByUser' });
    expect(back).not.toHaveProperty('broken');
    expect((await asAdmin('POST', '/modules/Demo:enable')).status).toBe(200);
  });

  test('a broken module is listed once, under its id, with the reason and the line', async () => {
    await writeFile(at('call-notes/module.json'), '{\n  "id": "CallNotes",\n  "version" "1"\n}\n');
    await running.app.restart();
    const { body } = await asAdmin('GET', '/modules');
    expect(body.data).toMatchObject([
      { id: 'CallNotes', broken: { reason: 'module.json is not valid JSON (line 3)', enabled: true } },
      { id: 'Demo', disabled: false },
    ]);
    expect((await asAdmin('POST', '/modules/CallNotes:disable')).body.data.broken.enabled).toBe(false);
  });

  test('an enabled module whose folder was missing at a start says so until it is enabled again', async () => {
    await rename(at('Demo'), at('.hidden'));
    await running.app.restart();
    await rename(at('.hidden'), at('Demo'));
    expect(await read('Demo')).toMatchObject({
      disabled: true,
      disableReasonText: 'it could not be started then (its folder was missing); enable it again',
    });
    expect((await asAdmin('POST', '/modules/Demo:enable')).body.data.disabled).toBe(false);
  });

  test('doctor reports broken modules and how to remedy an enabled one', async () => {
    await rm(at('Demo'), { recursive: true });
    await running.app.advance(15_000);
    const { findings } = (await asAdmin('GET', '/system:getInfo')).body.data;
    const found = findings.filter(({ id }: { id: string }) => id === 'modules');
    expect(found).toEqual([
      { id: 'modules', level: 'ok', text: 'modules: 0 of 2 enabled', remedy: null },
      expect.objectContaining({
        level: 'warning',
        text: 'module CallNotes is broken: module.json is not valid JSON (line 3)',
      }),
      expect.objectContaining({
        level: 'problem',
        text: 'module Demo is enabled and cannot be used: its folder is missing',
        remedy: expect.stringContaining('pbxcore module disable Demo'),
      }),
    ]);
  });
});

describe('module.json and code that cannot be read', () => {
  const running = useModules({
    settings: { PBXCORE_LOG_LEVEL: 'info' },
    write: async (dir) => {
      await dir.write(manifestOf('Typo', { raeds: ['calls'] }));
      await dir.write(manifestOf('Comma'), 'const a = 1;\nexport default {\n  resources: [,,] ]\n};\n');
      await dir.write(manifestOf('Inner'), "import './lib/deep.js';\nexport default { resources: [] };\n", {
        'lib/deep.js': '// fine\nexport const x = ;\n',
      });
      await dir.write(manifestOf('Throws'), '\n\nnull.nothing;\nexport default { resources: [] };\n');
      await dir.write(
        manifestOf('Missing'),
        "import { nothing } from './lib.js';\nexport default nothing;\n",
        {
          'lib.js': 'export const something = 1;\n',
        },
      );
    },
  });

  test('an unknown key in module.json keeps a module from being enabled', async () => {
    expect(await running.asAdmin('POST', '/modules/Typo:enable')).toMatchObject({
      status: 422,
      body: {
        messages: { error: [expect.stringContaining('module.json: "raeds" is not one of id, name,')] },
      },
    });
  });

  test('an enabled module with an unknown key still starts, and the log names the key', async () => {
    await running.dir.write(manifestOf('Typo'));
    expect((await running.asAdmin('POST', '/modules/Typo:enable')).status).toBe(200);
    await running.dir.write(manifestOf('Typo', { raeds: ['calls'] }));
    await running.app.restart();
    expect((await running.asAdmin('GET', '/modules/Typo')).body.data.disabled).toBe(false);
    const { body } = await running.asAdmin('GET', '/modules/Typo:getLog?level=warn');
    expect(body.data).toMatchObject([{ text: expect.stringContaining('"raeds" is not one of') }]);
  });

  test.each([
    ['Comma', /^SyntaxError: .* \(index\.js:3\)$/],
    ['Inner', /^SyntaxError: .* \(lib\/deep\.js:2\)$/],
    ['Throws', /^TypeError: .* \(index\.js:3\)$/],
    ['Missing', /^SyntaxError: .*'nothing'.* \(index\.js:1\)$/],
  ])('an error in the code of %s is reported with its file and line', async (id, says) => {
    expect((await running.asAdmin('POST', `/modules/${id}:enable`)).status).toBe(422);
    const { disableReasonText } = (await running.asAdmin('GET', `/modules/${id}`)).body.data;
    expect(disableReasonText).toMatch(says);
    expect(disableReasonText).not.toContain(running.dir.path);
  });
});
