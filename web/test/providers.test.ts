import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { choose } from './choose.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

const HOSTILE = `<img src=x onerror="document.title='owned'"> {{count}} '"${'x'.repeat(150)}`;

describePage('providers', () => {
  const { open, call, engine, origin } = usePage();
  const served = (id: string) =>
    expect.poll(() => engine.served.providers.some((provider) => provider.id === id)).toBe(true);
  const create = (id: string, fields: object) =>
    call('POST', '/sip-providers', {
      id,
      host: 'sip.example.org',
      username: 'pbx',
      secret: 'a-long-secret-1',
      registration_type: 'outbound',
      ...fields,
    });
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

  test('the first provider begins with its kind, and the result of the trial is shown in words', async () => {
    const page = await open('/providers', { provoked: [400] });
    await page.getByText('There is no provider yet').waitFor();
    await page.getByRole('link', { name: 'New provider' }).first().click();
    await page.getByLabel('Name', { exact: false }).first().fill('City Telecom');
    await page.getByLabel('No registration').check();
    expect(await page.getByRole('textbox', { name: 'User name' }).isVisible()).toBe(false);
    await page.getByLabel('We register with the provider').check();
    await page.getByLabel('Host', { exact: false }).first().fill('not a host');
    await page.getByRole('textbox', { name: 'User name' }).fill('4930555');
    await page.getByRole('textbox', { name: 'Password' }).fill('not-the-right-one');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('must be a host name').waitFor();
    await picture(page, 'provider-new-wide-light');
    await expectAccessible(page);
    await page.getByLabel('Host', { exact: false }).first().fill('sip.city.example');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Checking with the provider').waitFor();
    const [{ id }] = await call('GET', '/sip-providers');
    await served(id);
    engine.setProvider(id, { state: 'rejected', rejectionReason: '403 Forbidden' });
    const trial = page.getByRole('status').filter({ hasText: 'The provider refused the registration' });
    await trial.getByText('does not accept the user name or password').waitFor();
    await trial.getByText('403 Forbidden').waitFor();

    await page.getByRole('textbox', { name: 'Password' }).fill('the-right-one');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Checking with the provider').waitFor();
    engine.setProvider(id, { state: 'registered', rttMs: 23 });
    await page.getByText('The provider answers as it should').waitFor();
    await page.getByText('Times in the zone Europe/Berlin').waitFor();
    await picture(page, 'provider-wide-light');
    await expectAccessible(page);
  });

  test('the list shows changing states with their reasons, and switches with undo', async () => {
    await create('SIP-TRUNK-GOOD', { description: 'Northern Lines', host: 'north.example' });
    await create('SIP-TRUNK-LOCAL', {
      description: 'Gateway',
      registration_type: 'none',
      host: '192.0.2.40',
    });
    await create('SIP-TRUNK-OFF', { description: 'Old trunk', disabled: true });
    await create('SIP-TRUNK-HOSTILE', { description: HOSTILE, note: HOSTILE });
    const page = await open('/providers?offset=all');
    await row(page, 'Northern Lines').waitFor();
    await served('SIP-TRUNK-HOSTILE');
    engine.setProvider('SIP-TRUNK-GOOD', { state: 'registered', rttMs: 18 });
    engine.setProvider('SIP-TRUNK-LOCAL', { state: 'lagged', rttMs: 812 });
    engine.setProvider('SIP-TRUNK-HOSTILE', { state: 'rejected', rejectionReason: `404 ${HOSTILE}` });
    await row(page, 'Northern Lines').getByText('Registered', { exact: true }).waitFor();
    await row(page, 'Gateway').getByText('Slow', { exact: true }).waitFor();
    await row(page, 'Gateway').getByText('812 ms').waitFor();
    await page.getByText('The provider does not know this user name.').waitFor();
    await row(page, 'Old trunk').getByText('Switched off', { exact: true }).waitFor();
    expect(await row(page, 'Northern Lines').locator('[data-changed]').innerText()).toBe('Registered');
    await page
      .getByRole('img', { name: /States of the last 24 hours/ })
      .first()
      .waitFor();
    expect(await page.title()).not.toBe('owned');
    await picture(page, 'providers-wide-light');
    await expectAccessible(page);

    await page.getByRole('switch', { name: 'Northern Lines in service' }).press('Space');
    await row(page, 'Northern Lines').getByText('Switched off', { exact: true }).waitFor();
    expect(await call('GET', '/sip-providers/SIP-TRUNK-GOOD')).toMatchObject({ disabled: true });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect(await call('GET', '/sip-providers/SIP-TRUNK-GOOD')).toMatchObject({ disabled: false });
    await row(page, 'Northern Lines')
      .getByText('Switched off', { exact: true })
      .waitFor({ state: 'detached' });

    await page.goto(`${origin()}/providers?state=off`);
    await row(page, 'Old trunk').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await choose(page.getByRole('combobox', { name: 'State' }), 'Not working');
    await page.waitForURL(/state=notWorking/);
    await row(page, 'Old trunk').waitFor({ state: 'detached' });
    await picture(page, 'providers-by-state');
  });

  test('the history is a time strip, with the same in words', async () => {
    await create('SIP-TRUNK-PAST', { description: 'Southern Lines', host: 'south.example' });
    await served('SIP-TRUNK-PAST');
    const page = await open('/providers');
    const now = Math.floor(Date.now() / 1000);
    const states = ['registered', 'unreachable', 'registered', 'rejected', 'registered', 'OFF', 'registered'];
    const events = states.slice(1).map((state, index) => ({
      timestamp: now - (states.length - index) * 3 * 3600,
      state,
      previousState: states[index],
    }));
    await page.route('**/SIP-TRUNK-PAST:getHistory*', (route) =>
      route.fulfill({
        json: {
          result: true,
          data: { provider: 'SIP-TRUNK-PAST', events: events.toReversed(), count: 6, limit: 1000 },
          messages: { error: [], info: [], warning: [] },
        },
      }),
    );
    await page.route('**/SIP-TRUNK-PAST:getStats', async (route) => {
      const answer = await (await route.fetch()).json();
      answer.data.period.from = now - 86_400 * 20;
      await route.fulfill({ json: answer });
    });
    await page.reload();
    engine.setProvider('SIP-TRUNK-PAST', { state: 'registered', rttMs: 18 });
    const words = /States of the last 24 hours: Registered 6.*Unreachable 12.5%.*Rejected 12.5%/;
    await page.getByRole('img', { name: words }).waitFor();
    await page.getByRole('link', { name: 'Southern Lines' }).click();
    await page.getByRole('img', { name: words }).waitFor();
    await page.getByText('Times in the zone Europe/Berlin').waitFor();
    await picture(page, 'provider-history');
    await page.getByText('7 days').click();
    await page.waitForURL(/range=7d/);
    await page.getByRole('img', { name: /States of the last 168 hours: Registered/ }).waitFor();
  });

  test('the routes of a provider are shown before its host is asked for, and link to their screens', async () => {
    const providerid = 'SIP-TRUNK-GOOD';
    await call('POST', '/incoming-routes', { rulename: 'Sales', number: '1', extension: 'busy', providerid });
    await call('POST', '/incoming-routes', { rulename: 'Others', number: '2', extension: 'busy' });
    await call('POST', '/outbound-routes', { rulename: HOSTILE.slice(0, 90), providerid });
    const page = await open(`/providers/${providerid}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Northern Lines is in use' });
    await dialog.getByRole('link').first().waitFor();
    expect(await dialog.getByRole('link').allInnerTexts()).toEqual([
      'Incoming route Sales',
      `Outbound route ${HOSTILE.slice(0, 90)}`,
    ]);
    expect(await page.getByRole('textbox', { name: /Type/ }).count()).toBe(0);
    await picture(page, 'provider-in-use', { fullPage: false });
    await expectAccessible(page);
    await dialog.getByRole('link', { name: 'Incoming route Sales' }).click();
    await page.getByRole('heading', { name: 'Sales' }).waitFor();
  });

  test('a refused deletion stays in the dialog', async () => {
    await create('SIP-TRUNK-LATE', { description: 'Late Lines', host: 'late.example' });
    const page = await open('/providers/SIP-TRUNK-LATE', { provoked: [409] });
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Late Lines?' });
    await dialog.getByRole('textbox').fill('late.example');
    const route = { rulename: 'Late', number: '3', extension: 'busy', providerid: 'SIP-TRUNK-LATE' };
    const { id } = await call('POST', '/incoming-routes', route);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').getByText('is used by incoming route "Late"').waitFor();
    await expectAccessible(page);
    await call('DELETE', `/incoming-routes/${id}`);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Providers' }).waitFor();
  });

  test('in a narrow window the facts keep their order, and deleting a provider asks for its host first', async () => {
    const page = await open('/providers', { viewport: NARROW, scheme: 'dark', language: 'de' });
    await page.getByRole('listitem').filter({ hasText: 'Northern Lines' }).waitFor();
    await picture(page, 'providers-narrow-dark');
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('link', { name: 'Gateway' }).click();
    await page.getByRole('button', { name: 'Netze' }).click();
    await page.getByRole('button', { name: 'Nummern ankommender Anrufe' }).click();
    await page.getByRole('button', { name: 'Weitere Einstellungen' }).click();
    await page.getByLabel('Muster der gewählten Nummer').waitFor();
    await picture(page, 'provider-narrow-dark');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Löschen' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Löschen' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('192.0.2.40');
    await dialog.getByRole('button', { name: 'Löschen' }).click();
    await page.getByRole('heading', { name: 'Anbieter' }).waitFor();
    expect(await call('GET', '/sip-providers?includeDisabled=true')).toHaveLength(5);
  });
});
