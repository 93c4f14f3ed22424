import { expect, test } from 'vitest';
import { insertLegs, leg } from '../../server/test/acceptance/cdr-rig.ts';
import { eventually } from '../../server/test/eventually.ts';
import { HOSTILE } from './hostile.ts';
import { describePage, usePage } from './page-rig.ts';

describePage('every screen', () => {
  const rig = usePage();
  const { open, origin, engine, call } = rig;

  test('texts of strangers are inert on every screen, in every field that accepts them', async () => {
    const name = HOSTILE.slice(0, 95);
    const employee = await call('POST', '/employees', {
      number: '201',
      user_username: name,
      sip_secret: 'a-long-secret-of-anna',
    });
    const provider = await call('POST', '/sip-providers', {
      description: name,
      host: 'sip.example.com',
      username: 'u',
      secret: 'only-for-this-test-1',
      registration_type: 'outbound',
    });
    const network = await call('POST', '/firewall', {
      network: '192.0.2.0',
      subnet: 24,
      deny: '',
      description: name,
    });
    const route = await call('POST', '/incoming-routes', { rulename: name, note: name, extension: '201' });
    const menu = await call('POST', '/ivr-menu', { name, description: name, extension: '700' });
    const key = await call('POST', '/api-keys', { description: name, preset: 'bouncer' });
    await call('POST', '/firewall:banIp', { ip: '203.0.113.7', seconds: 600 });
    await fetch(`${origin()}/pbxcore/api/v3/firewall-bouncer/v1/decisions/stream`, {
      headers: { 'x-api-key': key.key, 'user-agent': HOSTILE.replace(/[^\x20-\x7e]/g, '') },
    });
    await insertLegs(rig.stores, leg({ src_name: name, dst_name: name }));
    await eventually(() => expect(engine.served.extensions).toHaveLength(1));
    engine.register('201', { userAgent: HOSTILE });
    const person = { number: '201', name, channel: 'PJSIP/201-1', account: '' };
    engine.startLeg({
      id: 'h.1',
      linkedId: 'h.1',
      startedAt: Date.now() - 5000,
      answeredAt: null,
      source: person,
      destination: { ...person, number: HOSTILE.slice(0, 40) },
      did: '',
    });

    const page = await open('/', { provoked: [400, 404, 422] });
    page.on('dialog', (dialog) => {
      throw new Error(`a script ran: ${dialog.message()}`);
    });
    for (const address of [
      '/',
      '/employees',
      `/employees/${employee.id}`,
      '/providers',
      `/providers/${provider.id}`,
      '/calls?range=30d',
      '/call-flow',
      '/incoming-routes',
      `/incoming-routes/${route.id}`,
      '/outbound-routes',
      '/menus',
      `/menus/${menu.id}`,
      '/queues',
      '/opening-hours',
      '/sounds?category=moh',
      '/bans?explain=203.0.113.7',
      '/networks',
      `/networks/${network.id}`,
      '/rules',
      '/bouncers',
      '/api-keys',
      `/api-keys/${key.id}`,
      '/modules',
      '/status',
      `/employees?search=${encodeURIComponent(HOSTILE)}`,
      `/calls?q=${encodeURIComponent(HOSTILE)}&range=${encodeURIComponent(HOSTILE)}&open=${encodeURIComponent(HOSTILE)}`,
      `/outbound-routes?number=${encodeURIComponent(HOSTILE)}&employee=${encodeURIComponent(HOSTILE)}`,
      `/opening-hours?week=${encodeURIComponent(HOSTILE)}&route=${encodeURIComponent(HOSTILE)}`,
      `/bans?explain=${encodeURIComponent(HOSTILE)}&category=${encodeURIComponent(HOSTILE)}`,
    ]) {
      await page.goto(origin() + address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      expect(await page.title(), address).not.toBe('owned');
      expect(await page.locator('img[src="x"]').count(), address).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), address).toBe(true);
    }
  });
});
