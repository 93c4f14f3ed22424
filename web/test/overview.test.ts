import { expect, test } from 'vitest';
import { insertLegs, leg } from '../../server/test/acceptance/cdr-rig.ts';
import { eventually } from '../../server/test/eventually.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

const HOSTILE = '<img src=x onerror=alert(1)>\u202e{{name}}$t(app.signOut)"';
/** The exchange's wall clock time. */
const wall = (ms: number) =>
  new Date(ms).toLocaleString('sv-SE', { timeZone: 'Europe/Berlin', hour12: false });

describePage('overview', () => {
  const rig = usePage();
  const { open, origin, engine, call } = rig;

  test('an empty exchange leads to the first steps', async () => {
    const page = await open('/');
    await page.getByRole('link', { name: 'Nobody yet: take the first steps' }).waitFor();
    await page.getByText('Nobody is on the phone').waitFor();
    await page.getByText('Answered 0', { exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, 'overview-empty');
  });

  test('phones, calls, bans and the last 24 hours are counted, and link to their screens with the filter set', async () => {
    for (const number of ['201', '202', '203'])
      await call('POST', '/employees', {
        number,
        user_username: `E ${number}`,
        sip_secret: `secret-${number}x`,
      });
    await call('POST', '/firewall:banIp', { ip: '198.51.100.7', seconds: 3600, category: 'sip' });
    await call('POST', '/firewall:banIp', { ip: '198.51.100.8', seconds: 3600, category: 'http' });
    await call('POST', '/sip-providers', {
      description: HOSTILE,
      host: 'sip.example.com',
      username: 'u',
      secret: 'only-for-this-test-1',
      registration_type: 'outbound',
    });
    await call('POST', '/api-keys', {
      description: 'edge firewall',
      allowed_paths: { '/api/v3/firewall-bouncer': 'read' },
    });
    const now = Date.now();
    const past = (hours: number, disposition: string) =>
      leg({ start: `${wall(now - hours * 3_600_000)}.000`, disposition });
    await insertLegs(
      rig.stores,
      ...[1, 1, 2, 3, 5, 8].map((hours) => past(hours, 'ANSWERED')),
      past(2, 'BUSY'),
      past(5, 'NO ANSWER'),
      past(30, 'FAILED'),
    );
    await eventually(() => expect(engine.served.extensions.length).toBe(3));
    engine.register('201');
    const [provider] = (await call('GET', '/sip-providers')).items ?? (await call('GET', '/sip-providers'));
    engine.setProvider(provider.id, { state: 'rejected' });
    const source = { number: '201', name: 'E 201', channel: 'PJSIP/201-1', account: '' };
    const destination = { number: '202', name: 'E 202', channel: 'PJSIP/202-1', account: '' };
    engine.startLeg({
      id: 'a.1',
      linkedId: 'a.1',
      startedAt: now - 30_000,
      answeredAt: now - 20_000,
      source,
      destination,
      did: '',
    });

    const page = await open('/');
    await page.getByText('Answered 6', { exact: true }).waitFor();
    await page.getByText(/^Provider .<img src=x/).waitFor();
    await page.getByText('edge firewall: not seen yet').waitFor();
    await page.getByText('Talking').waitFor();
    await expectAccessible(page);
    await picture(page, 'overview');
    // Only later changes are marked, without motion for users who prefer that.
    expect(await page.locator('[data-changed]').count()).toBe(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    engine.register('202');
    await page.locator('[data-changed]').filter({ hasText: '2' }).waitFor();
    const motion = "getComputedStyle(document.querySelector('[data-changed]')).animationTimingFunction";
    expect(await page.evaluate(motion)).toMatch(/^steps\(1/);
    for (const [name, address] of [
      ['SIP', '/bans?category=sip'],
      ['Available', '/employees?status=available'],
      ['Not working', '/providers?state=notWorking'],
      ['Busy 1', /\/calls\?range=own&from=.*&to=.*&q=disposition%3ABUSY/],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.waitForURL(typeof address === 'string' ? origin() + address : address);
      await page.goBack();
    }
  });

  test('a value that cannot be read is shown as unknown, never as good', async () => {
    const page = await open('/employees', { provoked: [403] });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.route(/\/api-keys\?/, (route) =>
      route.fulfill({
        status: 403,
        json: { result: false, data: null, messages: { error: ['Not for you'] } },
      }),
    );
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('alert').getByText('Not for you').waitFor();
    await page.getByText('Not known right now').waitFor();
    expect(await page.getByText('All well').count()).toBe(0);
    await expectAccessible(page);
  });

  test('works narrow and dark, in Russian', async () => {
    const page = await open('/', { viewport: NARROW, scheme: 'dark', language: 'ru' });
    await page.getByText('Отвечен 6').waitFor();
    await page.getByText('Никто не заблокирован').waitFor({ state: 'detached' });
    await expectAccessible(page);
    await picture(page, 'overview-narrow-dark');
  });
});
