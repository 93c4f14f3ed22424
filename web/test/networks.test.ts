import { expect, test } from 'vitest';
import { HOSTILE } from './hostile.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

describePage('networks and rules', () => {
  const { open, call, origin } = usePage();

  test('a network is added, first refused at its field, and its deletion is undone', async () => {
    const page = await open('/networks', { provoked: [400, 409] });
    await page.getByText('No networks yet').waitFor();
    await expectAccessible(page);
    await picture(page, 'networks-empty');
    await page.getByRole('link', { name: 'Add a network' }).first().click();
    await page.getByLabel('Network address').fill('192.0.2.300');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must be an IPv4 or IPv6 address').waitFor();
    await page.getByLabel('Network address').fill('192.0.2.0');
    await page.getByLabel('Description').fill('Head office');
    await page.getByLabel('Never block (allow-list)').check();
    await page.getByLabel('Denied addresses and ranges').fill('198.51.100.0/24');
    await page.getByLabel('AMI', { exact: true }).uncheck();
    await expectAccessible(page);
    await picture(page, 'network-form');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: '192.0.2.0/24' }).waitFor();
    const [filter] = (await call('GET', '/firewall')).items;
    expect(filter).toMatchObject({
      permit: '192.0.2.0/24',
      newer_block_ip: true,
      deny: '198.51.100.0/24',
      rules: { AMI: { action: false }, SIP: { action: true } },
    });

    const key = await call('POST', '/api-keys', { description: HOSTILE, networkfilterid: filter.id });
    await page.reload();
    await page.getByText('<img src=x').waitFor();
    await picture(page, 'networks');
    await page.getByRole('button', { name: 'Delete Head office' }).click();
    await page.getByText('the filter is in use by').waitFor();
    await call('DELETE', `/api-keys/${key.id}`);
    await page.getByRole('button', { name: 'Delete Head office' }).click();
    await page.getByText('Head office is deleted').waitFor();
    await page.getByText('No networks yet').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByRole('link', { name: '192.0.2.0/24' }).waitFor();
    const [restored] = (await call('GET', '/firewall')).items;
    expect({ ...restored, id: '' }).toEqual({ ...filter, id: '' });
  });

  test('whoever saves later sees what somebody else changed, and both changes are kept', async () => {
    const { id } = await call('POST', '/firewall', {
      network: '203.0.113.0',
      subnet: 24,
      description: 'Branch',
    });
    const page = await open(`/networks/${id}`, { language: 'de', viewport: NARROW, scheme: 'dark' });
    await page.getByLabel('Beschreibung').fill('Filiale');
    await call('PATCH', `/firewall/${id}`, { priority: 7 });
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('alert').getByText('Inzwischen hat').first().waitFor();
    await expectAccessible(page);
    await picture(page, 'network-conflict');
    await page.getByRole('button', { name: 'Mit dieser Auswahl weiter' }).click();
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.waitForURL(`${origin()}/networks`);
    expect(await call('GET', `/firewall/${id}`)).toMatchObject({ description: 'Filiale', priority: 7 });
    await page.getByText('Filiale').first().waitFor();
    await expectAccessible(page);
    await picture(page, 'networks-narrow');
  });

  test('the own address is allowed with one button; if a proxy hides it, a banner says why', async () => {
    const page = await open('/networks');
    await page.getByRole('button', { name: 'Allow my address 127.0.0.1' }).first().click();
    await page.getByText('127.0.0.1 is on the allow-list').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.9' });
    await page.goto(`${origin()}/bans`);
    await page.getByText('The exchange is behind a proxy').waitFor();
    await page.getByText('PBXCORE_TRUSTED_PROXIES=127.0.0.1').waitFor();
    await expectAccessible(page);
    await picture(page, 'bans-proxy');
  });

  test('rules follow a preset, are refused at the field, saved, and undone; the firewall is switched off and on', async () => {
    const page = await open('/rules', { provoked: [400] });
    await page.getByRole('radio', { name: 'Strict' }).check();
    await page.getByText('5 failed logins within 6 hours ban an address for 7 days.').waitFor();
    await page.getByLabel('Allow-list').fill('192.0.2.0/24, nonsense');
    await expectAccessible(page);
    await picture(page, 'rules');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('nonsense was left out').waitFor();
    expect(await call('GET', '/fail2ban')).toMatchObject({
      maxretry: 5,
      findtime: 21_600,
      bantime: 604_800,
      whitelist: '192.0.2.0/24',
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('20 failed logins within 10 minutes ban an address for 10 minutes.').waitFor();
    expect(await call('GET', '/fail2ban')).toMatchObject({ maxretry: 20, whitelist: '' });
    await page.getByLabel('Failures', { exact: true }).fill('5000');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must be 1..100').waitFor();
    expect(await page.getByLabel('Failures', { exact: true }).inputValue()).toBe('5000');

    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('The firewall is switched off').waitFor();
    expect((await call('GET', '/firewall')).firewallEnabled).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByRole('button', { name: 'Switch off' }).waitFor();
    expect((await call('GET', '/firewall')).firewallEnabled).toBe(true);
  });

  test('rules work in a narrow dark window', async () => {
    const page = await open('/rules', { viewport: NARROW, scheme: 'dark', language: 'ru' });
    await page.getByText('20 неудачных входов').waitFor();
    await expectAccessible(page);
    await picture(page, 'rules-narrow');
  });
});
