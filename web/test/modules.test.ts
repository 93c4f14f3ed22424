import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeZip } from '../../server/src/cli/module/zip-writer.ts';
import { makeModulesDir, manifestOf } from '../../server/test/module-fixtures.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

const HOSTILE = `<img src=x onerror=alert(1)>\u202e{{name}}$t(app.signOut)"' ${'x'.repeat(3000)}`;
const notes = (more: object = {}) =>
  manifestOf('CallNotes', {
    name: 'Call notes',
    developer: 'Ahorn GmbH',
    description: 'Keeps what was said in a call',
    reads: ['employees', 'calls'],
    writes: ['call-queues'],
    acts: ['originate'],
    settings: {
      url: { type: 'string', default: 'https://notes.example', description: 'Where notes are sent' },
      key: { type: 'string', secret: true },
      tries: { type: 'integer', min: 1, max: 5, default: 2 },
      style: { type: 'string', enum: ['short', 'long'], default: 'short' },
      quiet: { type: 'boolean', default: false, description: 'Says nothing' },
    },
    ...more,
  });
const CODE = `export default (context) => {
  context.log.info('notes are ready', { tries: context.settings.tries });
  return { resources: [{ path: '/pbxcore/api/v3/module-callnotes/notes', permission: 'notes', channels: ['bearer_token'], list: () => [] }] };
};`;
const dir = await makeModulesDir();

describePage('modules', () => {
  const { open, origin, call } = usePage(dir.settings);
  afterAll(() => dir.remove());

  test('without any module the screen explains how to get one', async () => {
    const page = await open('/modules');
    await page.getByText('No module is installed').waitFor();
    await expectAccessible(page);
    await picture(page, 'modules-empty');
  });

  test('a module is enabled after showing its rights, configured, disabled, and enabled again by undo', async () => {
    await dir.write(notes({ slug: 'callnotes' }), CODE);
    await dir.write('{ not json', '', {}, 'Broken');
    const page = await open('/modules', { provoked: [400] });
    await page.getByText('module.json is not valid JSON').waitFor();
    await page.getByRole('button', { name: 'Enable Call notes' }).click();
    await page.getByRole('dialog', { name: 'Enable Call notes?' }).getByText('employees').waitFor();
    await page.getByRole('dialog').getByText('It will be able to change:').waitFor();
    await page.getByRole('dialog').getByText('It will act on calls on its own:').waitFor();
    await page.getByRole('dialog').getByText('originate').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Call notes is running').waitFor();
    await expectAccessible(page);
    await picture(page, 'modules');

    await page.getByRole('link', { name: 'Call notes' }).click();
    await page.waitForURL(`${origin()}/modules/CallNotes`);
    await page.getByText('call-queues').waitFor();
    await page.getByText('/module-callnotes/notes').first().waitFor();
    await page.getByText('notes are ready').first().waitFor();
    await page.getByText('Acts on calls:').waitFor();
    await page.getByLabel('tries').fill('9');
    await page.getByRole('button', { name: 'Save and restart' }).click();
    await page.getByText('must be 1..5 (got 9)').waitFor();
    await page.getByLabel('tries').fill('4');
    await page.getByLabel('key').fill('hush');
    await page.getByRole('switch', { name: 'quiet' }).click({ force: true });
    await page.getByRole('button', { name: 'Save and restart' }).click();
    await page.getByText('Saved').waitFor();
    expect((await call('GET', '/modules/CallNotes')).settings).toEqual({
      url: 'https://notes.example',
      key: 'XXXXXXXX',
      tries: 4,
      style: 'short',
      quiet: true,
    });
    await expectAccessible(page);
    await picture(page, 'module');

    await page.getByRole('button', { name: 'Disable Call notes' }).click();
    await page.getByText('Call notes is off').waitFor();
    expect(await call('GET', '/modules/CallNotes')).toMatchObject({ disabled: true });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('Undone').waitFor();
    expect(await call('GET', '/modules/CallNotes')).toMatchObject({ disabled: false });
  });

  test('settings that somebody else changed meanwhile are shown, and the later user chooses', async () => {
    const page = await open('/modules/CallNotes');
    await page.getByLabel('url').fill('https://mine.example');
    await call('PATCH', '/modules/CallNotes', { settings: { url: 'https://theirs.example', tries: 1 } });
    await page.getByRole('button', { name: 'Save and restart' }).click();
    await page.getByText('"https://theirs.example"').waitFor();
    await picture(page, 'module-meanwhile');
    expect((await call('GET', '/modules/CallNotes')).settings.url).toBe('https://theirs.example');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('button', { name: 'Save and restart' }).click();
    await page.getByText('Saved').waitFor();
    expect((await call('GET', '/modules/CallNotes')).settings).toMatchObject({
      url: 'https://mine.example',
      tries: 1,
    });
  });

  test('settings show the stored values, and only actual changes are sent', async () => {
    const page = await open('/modules/CallNotes');
    const tries = page.getByLabel('tries');
    await tries.waitFor();
    await call('PATCH', '/modules/CallNotes', { settings: { tries: 3 } });
    await expect.poll(() => tries.inputValue()).toBe('3');
    await tries.fill('4');
    await tries.fill('3');
    await page.getByLabel('key', { exact: true }).fill('h');
    await page.getByLabel('key', { exact: true }).fill('');
    await page.getByLabel('url').fill('https://new.example');
    const sent: unknown[] = [];
    await page.route('**/modules/CallNotes', async (route) => {
      if (route.request().method() === 'PATCH') {
        sent.push(route.request().postDataJSON());
        // Typed while the request is in progress.
        if (sent.length === 1) await page.getByLabel('url').fill('https://newer.example');
      }
      await route.continue();
    });
    const save = page.getByRole('button', { name: 'Save and restart' });
    await save.click();
    await page.getByText('Saved').waitFor();
    expect(sent).toEqual([{ settings: { url: 'https://new.example' } }]);
    expect(await page.getByLabel('url').inputValue()).toBe('https://newer.example');
    expect((await call('GET', '/modules/CallNotes')).settings).toMatchObject({ key: 'XXXXXXXX' });
    await page.getByRole('button', { name: 'Remove key' }).click();
    await picture(page, 'module-secret-goes');
    await save.click();
    await page.getByRole('button', { name: 'Keep key' }).waitFor({ state: 'detached' });
    await expect.poll(() => sent.length).toBe(2);
    expect(sent[1]).toEqual({ settings: { url: 'https://newer.example', key: '' } });
    await expect.poll(async () => (await call('GET', '/modules/CallNotes')).settings.key).toBeFalsy();
  });

  test('a ZIP file installs a module, a second one replaces it, and an invalid one is refused with the reason', async () => {
    const zip = (version: string) => ({
      name: 'Greeter.zip',
      mimeType: 'application/zip',
      buffer: writeZip([
        {
          name: 'Greeter/module.json',
          content: Buffer.from(JSON.stringify(manifestOf('Greeter', { version }))),
        },
        { name: 'Greeter/index.js', content: Buffer.from('export default { resources: [] };') },
      ]),
    });
    const page = await open('/modules', { provoked: [409, 422] });
    const choose = page.locator('input[type=file]');
    await choose.setInputFiles({ name: 'no.zip', mimeType: 'application/zip', buffer: Buffer.from('PK no') });
    await page.getByRole('alert').getByText('That did not work').waitFor();
    await choose.setInputFiles(zip('1.0.0'));
    await page.waitForURL(`${origin()}/modules/Greeter`);
    expect(await call('GET', '/modules/Greeter')).toMatchObject({ version: '1.0.0', disabled: true });
    await page.goto(`${origin()}/modules`);
    await choose.setInputFiles(zip('1.1.0'));
    await page.getByRole('dialog', { name: 'Replace the installed module?' }).waitFor();
    await page.getByRole('button', { name: 'Replace' }).click();
    await page.waitForURL(`${origin()}/modules/Greeter`);
    expect(await call('GET', '/modules/Greeter')).toMatchObject({ version: '1.1.0' });
  });

  test('the parts of a module that open without a key are shown before it is enabled', async () => {
    const path = '/pbxcore/api/v3/module-open/x';
    await dir.write(
      manifestOf('Open', { name: 'Open door' }),
      `export default { resources: [{ path: '${path}', permission: 'x', channels: ['localhost', 'bearer_token'], list: () => [],
        actions: [{ name: 'hook', verb: 'POST', channels: ['public'], handle: () => ({}) }] }] };`,
    );
    const page = await open('/modules/Open');
    await page.getByRole('button', { name: 'Enable Open door' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enable Open door?' });
    await dialog.getByText('It answers everybody, without a key, at:').waitFor();
    await dialog.getByText(`POST ${path}:hook`).waitFor();
    await dialog.getByText('It answers programs on this machine, without a key, at:').waitFor();
    await dialog.getByText(`GET ${path}`, { exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, 'module-openings');
    expect(await call('GET', '/modules/Open')).toMatchObject({ disabled: true });
    await dialog.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Open door is running').waitFor();
  });

  test('undo of disabling accepts no new rights without asking', async () => {
    const grow = (more: object) => dir.write(manifestOf('Grow', { name: 'Grower', ...more }));
    await grow({});
    await call('POST', '/modules/Grow:enable');
    const page = await open('/modules/Grow', { provoked: [409] });
    await page.getByRole('button', { name: 'Disable Grower' }).click();
    await page.getByText('Grower is off').waitFor();
    await grow({ reads: ['bans'] });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    const dialog = page.getByRole('dialog', { name: 'Enable Grower?' });
    await dialog.getByText('bans').waitFor();
    expect(await call('GET', '/modules/Grow')).toMatchObject({ disabled: true });
    await dialog.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Grower is running').waitFor();
    expect(await call('GET', '/modules/Grow')).toMatchObject({
      disabled: false,
      accepted: { reads: ['bans'] },
    });
  });

  test('settings are reset; a module is removed, together with its data only if chosen', async () => {
    const page = await open('/modules/CallNotes');
    await page.getByRole('button', { name: 'Reset to defaults' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset to defaults' }).click();
    await page.getByText('Saved').waitFor();
    expect((await call('GET', '/modules/CallNotes')).settings).toMatchObject({ key: null, tries: 2 });
    await page.getByText('settings changed').first().waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove Call notes?' });
    await dialog.getByText('Its stored data and its settings are kept').waitFor();
    await dialog.getByLabel('Also delete its stored data and its settings').check();
    await dialog.getByText('This cannot be undone').waitFor();
    await expectAccessible(page);
    await picture(page, 'module-remove');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.waitForURL(`${origin()}/modules`);
    await page.getByText('Call notes is removed').waitFor();
    await page.getByRole('link', { name: 'Call notes' }).waitFor({ state: 'detached' });
  });

  test('a module with a missing folder is shown as failed with the reason, and can be disabled', async () => {
    await rm(join(dir.path, 'Open'), { recursive: true });
    const page = await open('/modules/Open');
    await page.getByText('Running now, but it will not start next time').waitFor();
    await page.getByText('its folder is missing').waitFor();
    await page.getByText('It is still enabled').waitFor();
    await expectAccessible(page);
    await picture(page, 'module-broken');
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Install it again, or remove it.').waitFor();
    expect(await call('GET', '/modules/Open')).toMatchObject({ disabled: true, broken: { enabled: false } });
    await page.goto(`${origin()}/modules`);
    await page.getByText('its folder is missing').waitFor();
  });

  test('a module that somebody removes while it is on the screen is shown as gone', async () => {
    const page = await open('/modules/Grow', { provoked: [404] });
    await page.getByText('Running').waitFor();
    await call('DELETE', '/modules/Grow');
    await page.getByRole('alert').getByText('Somebody else has removed this module.').waitFor();
    await page.getByText('Running').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'All modules' }).click();
    await page.waitForURL(`${origin()}/modules`);
  });

  test('hostile texts of a module are plain text, narrow and dark', async () => {
    await dir.write(manifestOf('Evil', { name: HOSTILE.slice(0, 100), description: HOSTILE.slice(0, 1000) }));
    const page = await open('/modules', { viewport: NARROW, scheme: 'dark', language: 'ru' });
    await page.getByRole('link', { name: HOSTILE.slice(0, 30) }).waitFor();
    await expectAccessible(page);
    await picture(page, 'modules-narrow-dark');
    await page.goto(`${origin()}/modules/Evil`);
    await page.getByText(HOSTILE.slice(0, 30)).first().waitFor();
    await expectAccessible(page);
    await picture(page, 'module-narrow-dark');
  });

  test('a module that does not exist is reported as missing', async () => {
    const page = await open('/modules/Nobody', { provoked: [404] });
    await page.getByText('module Nobody not found').waitFor();
  });
});
