import { expect, test } from 'vitest';
import { createOutsider, quoted } from '../../server/test/outsider.ts';
import { HOSTILE } from './hostile.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

/** Contains markup, as a harmless note may. */
const NOTE = '<b>rings</b> at "night" & {{count}}';

describePage('bans', () => {
  const rig = usePage();
  const { open, call, origin } = rig;
  const bannedNow = async () => Object.keys(await call('GET', '/firewall:getBannedIps')).sort();
  const ban = (ip: string, seconds: number, category = 'sip') =>
    call('POST', '/firewall:banIp', { ip, seconds, category });

  test('an address is banned by hand, found by its range, lifted, and banned again by undo', async () => {
    const page = await open('/bans', { provoked: [400, 422] });
    await page.getByText('Nobody is banned now').waitFor();
    await picture(page, 'bans-empty');
    await page.getByRole('button', { name: 'Ban an address' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address or range').fill('not an address');
    await dialog.getByRole('button', { name: 'Ban', exact: true }).click();
    await dialog.getByText('must be an IPv4 or IPv6 address or CIDR').waitFor();
    await dialog.getByLabel('Address or range').fill('198.0.0.0/7');
    await dialog.getByRole('button', { name: 'Ban', exact: true }).click();
    await dialog.getByText('such a ban must be confirmed').waitFor();
    await expectAccessible(page);
    await picture(page, 'bans-form');
    await dialog.getByLabel('Address or range').fill('198.51.100.0/24');
    await dialog.getByLabel('Note').fill(NOTE);
    await dialog.getByRole('button', { name: 'Ban', exact: true }).click();
    await page.getByRole('cell', { name: '198.51.100.0/24', exact: true }).waitFor();
    await page.getByText('Banned by hand by admin').waitFor();
    await page.getByText(NOTE, { exact: true }).waitFor();

    await page.getByLabel('Search', { exact: true }).fill('198.51.100.77');
    await page.waitForURL(`${origin()}/bans?search=198.51.100.77`);
    await page.getByRole('button', { name: 'Lift the ban of 198.51.100.0/24' }).click();
    await page.getByText('No ban matches').waitFor();
    expect(await bannedNow()).toEqual([]);
    await page.getByText('The ban of 198.51.100.0/24 is lifted').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByRole('cell', { name: '198.51.100.0/24', exact: true }).waitFor();
    const { bans } = (await call('GET', '/firewall:getBannedIps'))['198.51.100.0/24'];
    expect(bans[0].reason).toMatchObject({ note: NOTE, by: 'admin' });
    expect(bans[0].timeunban * 1000 - Date.now()).toBeGreaterThan(86_000_000);
  });

  test('an address is explained with every reason, then allowed, and undo blocks it again', async () => {
    await ban('203.0.113.7', 3600, 'http');
    const page = await open('/bans?explain=203.0.113.7', { provoked: [400] });
    const box = page.getByRole('region', { name: 'Is an address blocked, and why?' });
    await box.getByText('Blocked', { exact: true }).waitFor();
    await box.getByText('firewall:http:203.0.113.7').waitFor();
    await box.getByText('No bouncer fetches bans yet').waitFor();
    await expectAccessible(page);
    await picture(page, 'bans-explain');
    await box.getByRole('button', { name: 'Always allow' }).click();
    await box.getByText('Allowed', { exact: true }).waitFor();
    expect(await bannedNow()).not.toContain('203.0.113.7');
    await page.getByRole('button', { name: 'Undo' }).click();
    await box.getByText('Blocked', { exact: true }).waitFor();
    expect((await call('GET', '/firewall')).total).toBe(0);

    await box.getByRole('textbox').fill('<b>nonsense</b>');
    await box.getByRole('button', { name: 'Explain' }).click();
    await box.getByText('must be an IPv4 or IPv6 address or CIDR').waitFor();
  });

  test('many are lifted at once; texts of strangers are plain text, in a narrow dark window and in other languages', async () => {
    for (const ip of ['192.0.2.1', '192.0.2.2', '2001:db8::5']) await ban(ip, 7200, 'iax');
    await createOutsider(rig.stores).sql(
      `insert into "m_NetworkFilters" (permit, deny, description) values ('10.0.0.0/8', ${quoted(HOSTILE)}, '')`,
    );
    const page = await open('/bans?category=iax', { viewport: NARROW, scheme: 'dark', language: 'de' });
    await page.getByText('nicht lesbar').waitFor();
    await page.getByText('<img').first().waitFor();
    await expectAccessible(page);
    await picture(page, 'bans-narrow');
    for (const ip of ['192.0.2.1', '2001:db8::5']) await page.getByLabel(`${ip} auswählen`).check();
    await page.getByRole('button', { name: '2 Sperren aufheben' }).click();
    await page.getByText('2 Sperren sind aufgehoben').waitFor();
    await page.getByText('1 Eintrag', { exact: true }).waitFor();
    expect(await bannedNow()).not.toContain('192.0.2.1');
    expect(await page.title()).not.toContain('owned');
  });

  test('a search in the page works among a hundred thousand bans, and only one page of them is rendered', async () => {
    const banned = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [
        `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
        {
          country: '',
          countryName: '',
          bans: [
            { category: 'sip', timeunban: Math.floor(Date.now() / 1000) + 60 + index, permanent: false },
          ],
        },
      ]),
    );
    const page = await open('/', {});
    await page.route('**/firewall:getBannedIps', (route) =>
      route.fulfill({ json: { result: true, data: banned, messages: {}, meta: {} } }),
    );
    await page.goto(`${origin()}/bans`);
    await page.getByText('100,000 entries').waitFor();
    expect(await page.getByRole('row').count()).toBe(51);
    await page.getByLabel('Search', { exact: true }).fill('10.1.134.159');
    await page.getByText('1 entry', { exact: true }).waitFor();
    await page.getByRole('cell', { name: '10.1.134.159', exact: true }).waitFor();
    await page.getByLabel('Search', { exact: true }).fill('10.0.7.0/24');
    await page.getByText('256 entries').waitFor();
    await picture(page, 'bans-many');
  });
});
