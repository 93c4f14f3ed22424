import { expect, test } from 'vitest';
import { choose } from './choose.ts';
import { HOSTILE } from './hostile.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

describePage('bouncers', () => {
  const { open, call, origin } = usePage();
  const poll = (key: string, userAgent: string) =>
    fetch(`${origin()}/pbxcore/api/v3/firewall-bouncer/v1/decisions/stream`, {
      headers: { 'x-api-key': key, 'user-agent': userAgent },
    });

  test('the card of a bouncer key shows its state of the bans, and its revocation', async () => {
    const page = await open('/bouncers');
    await page.getByText('No bouncer yet').waitFor();
    await picture(page, 'bouncers-empty');
    expect(await page.getByRole('link', { name: 'Connect a bouncer' }).first().getAttribute('href')).toBe(
      '/api-keys/new?preset=bouncer',
    );
    const { key } = await call('POST', '/api-keys', { description: 'edge', preset: 'bouncer' });
    const card = page.getByRole('article', { name: 'edge' });
    await card.getByText('Not seen yet').waitFor();
    await call('POST', '/firewall:banIp', { ip: '203.0.113.7', seconds: 3600 });
    await poll(key, 'crowdsec-firewall-bouncer/v0.0.31');
    await card.getByText('Up to date').waitFor();
    await card.getByRole('img', { name: '1 poll seen in the last 5 minutes' }).waitFor();
    await call('POST', '/firewall:banIp', { ip: '203.0.113.8', seconds: 3600 });
    await call('POST', '/firewall:unbanIp', { ip: '203.0.113.7' });
    const figures = card.getByText(/^1sent in the last answer1of these ended1not sent yet$/);
    await figures.waitFor();
    await card.getByRole('button', { name: 'How to connect' }).click();
    await card.getByText('The key was shown once').waitFor();
    await card.getByText('api_key: <API key>').waitFor();
    await choose(card.getByRole('combobox', { name: 'Client' }), 'nginx (Lua)');
    await card.getByText('API_KEY=<API key>').waitFor();
    expect(await card.innerText()).not.toContain(key);
    await expectAccessible(page);
    await picture(page, 'bouncers');
    await card.getByRole('button', { name: 'Revoke edge' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The bouncer at 127.0.0.1 no longer learns of new or lifted bans').waitFor();
    await dialog.getByRole('textbox').fill('edge');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await card.getByText('Revoked', { exact: true }).waitFor();
    expect((await poll(key, 'curl')).status).toBe(401);
    await picture(page, 'bouncers-revoked');
  });

  test('names and user agents from strangers are plain text, in a narrow dark window and in German', async () => {
    const { key } = await call('POST', '/api-keys', { description: HOSTILE, preset: 'bouncer' });
    await poll(key, '<img src=x onerror=alert(1)> {{count}}');
    const items = [{ name: 'dropped', value: 1234, unit: 'packet', labels: {} }];
    const report = {
      remediation_components: [{ metrics: [{ meta: { window_size_seconds: 1800 }, items }] }],
    };
    await fetch(`${origin()}/pbxcore/api/v3/firewall-bouncer/v1/usage-metrics`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(report),
    });
    const page = await open('/bouncers', { viewport: NARROW, scheme: 'dark', language: 'de' });
    await page.getByText('<img src=x onerror=alert(1)> {{count}}', { exact: true }).waitFor();
    await page.getByText('Aktuell').waitFor();
    await page.getByText('1.234 Pakete verworfen').waitFor();
    await expectAccessible(page);
    await picture(page, 'bouncers-narrow');
  });

  test('the card of a late bouncer shows since when it has not enforced new bans', async () => {
    const page = await open('/');
    // Simulates the service's answer after a quarter of an hour.
    await page.route(/\/api-keys\?/, async (route) => {
      const answer = await (await route.fetch()).json();
      const [key] = answer.data;
      const late = {
        ...key.bouncer,
        late_since: '2026-11-18 12:03:07',
        seconds_since: 95,
        interval_seconds: 10,
      };
      const states = ['late', 'silent'].map((state, index) => ({
        ...key,
        id: String(9000 + index),
        description: `edge ${state}`,
        bouncer: { ...late, state, told: null, over: null, not_yet_told: null },
      }));
      await route.fulfill({ json: { ...answer, data: states } });
    });
    await page.goto(`${origin()}/bouncers`);
    const card = page.getByRole('article', { name: 'edge late' });
    await card.getByText('Late', { exact: true }).waitFor();
    await card.getByText('Bans made since 11/18/26, 12:03:07').waitFor();
    await card.getByText('every 10 seconds').waitFor();
    await page.getByText('Silent', { exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, 'bouncers-late');
  });
});
