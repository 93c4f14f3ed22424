import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { HOSTILE } from './hostile.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

describePage('API keys', () => {
  const { open, call, origin } = usePage();

  test('a bouncer key by preset is shown once with its files, and its first request is noticed', async () => {
    const page = await open('/api-keys', { provoked: [400] });
    await page.getByText('No keys yet').waitFor();
    await page.getByRole('link', { name: 'New key' }).first().click();
    await page.getByText('Nothing is selected').waitFor();
    expect(await page.getByLabel('Full permissions').isChecked()).toBe(false);
    await page.getByRole('radio', { name: 'Bouncer' }).check();
    await page.getByRole('button', { name: 'Create the key' }).click();
    // The missing name is reported at its field, and the selection stays.
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByLabel('Name').fill('edge');
    await expectAccessible(page);
    await picture(page, 'api-key-new');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const section = page.getByRole('region', { name: 'The key' });
    const key = await section.locator('code').innerText();
    await page.getByText('Waiting for the first request').waitFor();
    await page.getByRole('tab', { name: 'Stock firewall bouncer, nftables' }).waitFor();
    expect(await page.getByRole('tabpanel').innerText()).toContain(key);
    await expectAccessible(page);
    await picture(page, 'api-key-made');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download crowdsec-firewall-bouncer.yaml' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toContain(`api_key: ${key}`);

    const poll = await fetch(`${origin()}/pbxcore/api/v3/firewall-bouncer/v1/decisions/stream`, {
      headers: { 'x-api-key': key },
    });
    expect(poll.status).toBe(200);
    await page.getByText('First request seen from 127.0.0.1').waitFor();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('link', { name: 'edge' }).waitFor();
    expect(await page.content()).not.toContain(key);
    await picture(page, 'api-keys');
  });

  test('a key has exactly the chosen rights, is explained, changed, and revoked by typing its name', async () => {
    const page = await open('/api-keys/new');
    await page.getByLabel('Name').fill('reports');
    await page.getByRole('radiogroup', { name: 'Call Records' }).getByText('Read').click();
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('Waiting for the first request').waitFor();
    const { id } = (await call('GET', '/api-keys')).find(
      ({ description }: { description: string }) => description === 'reports',
    );
    expect((await call('GET', `/api-keys/${id}`)).allowed_paths).toEqual({ '/api/v3/cdr': 'read' });

    await page.goto(`${origin()}/api-keys/${id}?path=/employees&method=POST&address=192.0.2.7`);
    const box = page.getByRole('region', { name: 'Would a request be let in?' });
    await box.getByText('Refused', { exact: true }).waitFor();
    await page.getByRole('radiogroup', { name: 'Employees' }).getByText('Write').click();
    await page.getByRole('button', { name: 'Save' }).click();
    await box.getByText('Let in', { exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, 'api-key');

    await page.getByRole('button', { name: 'Revoke reports' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It was never used').waitFor();
    expect(await dialog.getByRole('button', { name: 'Revoke' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('reports');
    await expectAccessible(page);
    await picture(page, 'api-key-revoke');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.waitForURL(`${origin()}/api-keys`);
    await page.getByText('reports is revoked').waitFor();
    expect((await call('GET', '/api-keys')).map((key: { id: string }) => key.id)).not.toContain(id);
  });

  test('names from strangers are plain text, in a narrow dark window and in Russian', async () => {
    const { id } = await call('POST', '/api-keys', { description: HOSTILE, full_permissions: true });
    const page = await open('/api-keys', { viewport: NARROW, scheme: 'dark', language: 'ru' });
    await page.getByRole('link', { name: '<img src=x' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'api-keys-narrow');
    await page.goto(`${origin()}/api-keys/${id}`);
    await page.getByRole('heading', { name: '<img src=x' }).waitFor();
    await page.getByLabel('Полные права').uncheck();
    await page.getByRole('radiogroup').first().waitFor();
    await expectAccessible(page);
    await picture(page, 'api-key-narrow');
    expect(await page.title()).toContain('<img');
  });
});
