import { expect, test } from 'vitest';
import { ADMIN_PASSWORD, storePairs } from '../../server/test/make-app.ts';
import { describePage, picture, usePage } from './page-rig.ts';

const OTHER_PASSWORD = 'another-password-of-the-test';

describePage('when something breaks', () => {
  const { open, call, restart, origin } = usePage();

  test('a restarted service: the page says since when its data is stale, and recovers without a reload', async () => {
    const page = await open('/employees', { provoked: [0, 401, 503] });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.evaluate('globalThis.stillTheSame = true');
    await restart(async () => {
      await page.getByText(/As of .*, reconnecting/).waitFor();
      await picture(page, 'service-away');
    });
    await page.getByText('Live', { exact: true }).waitFor();
    const employee = { number: '201', user_username: 'Anna', sip_secret: 'a-long-secret-of-anna' };
    await call('POST', '/employees', employee);
    await page
      .getByRole('link', { name: /Anna|201/ })
      .first()
      .waitFor();
    expect(await page.evaluate('globalThis.stillTheSame')).toBe(true);
  });

  test('an upgraded service: a page of the older version offers to reload', async () => {
    const page = await open('/employees', { provoked: [0, 401, 503] });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.route(`${origin()}/`, async (route) => {
      const body = (await (await route.fetch()).text()).replace(
        /assets\/index-[\w-]+\.js/,
        'assets/index-newer.js',
      );
      await route.fulfill({ body, contentType: 'text/html' });
    });
    await restart();
    await page.getByText('There is a new version of this page').waitFor();
    await page.getByRole('button', { name: 'Reload' }).waitFor();
  });

  test('an expired session: the page asks for the password, keeps the input, and sends the form once', async () => {
    const page = await open('/employees/new', { provoked: [401] });
    await page.getByLabel('Name').fill('Typed before');
    const pressed = Promise.withResolvers<void>();
    // Otherwise the event stream may be refused first, and the dialog would cover the button.
    await page.route('**/pbxcore/api/v3/auth:refresh', async (route) => {
      await pressed.promise;
      await route.continue();
    });
    await call('POST', '/auth:changePassword', {
      currentPassword: ADMIN_PASSWORD,
      newPassword: OTHER_PASSWORD,
    });
    await page.getByRole('button', { name: 'Create' }).click();
    pressed.resolve();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    // Signing out is possible instead, but asks for confirmation.
    await again.getByRole('button', { name: 'Sign out' }).click();
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leaving.getByRole('button', { name: 'Stay here' }).click();
    await leaving.waitFor({ state: 'detached' });
    await again.getByLabel('Password', { exact: true }).fill(OTHER_PASSWORD);
    await picture(page, 'session-expired', { fullPage: false });
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Typed before' }).waitFor();
    const { data } = await call('GET', '/employees?search=Typed');
    expect(data).toHaveLength(1);
    await call('POST', '/auth:changePassword', {
      currentPassword: OTHER_PASSWORD,
      newPassword: ADMIN_PASSWORD,
    });
  });

  test('a service that cannot check the session is asked again, and the page then appears by itself', async () => {
    const page = await open('/employees', { provoked: [503] });
    let asked = 0;
    await page.route('**/pbxcore/api/v3/auth:refresh', (route) =>
      ++asked === 1 ? route.fulfill({ status: 503, json: {} }) : route.continue(),
    );
    await page.reload();
    await page.getByText('The exchange does not answer').waitFor();
    await page.getByRole('heading', { name: 'Employees' }).waitFor();
  });

  test('a part of the page that cannot be loaded is reported, and nothing reloads by itself', async () => {
    const page = await open('/employees', { provoked: [0] });
    await page.getByRole('heading', { name: 'Employees' }).waitFor();
    await page.evaluate('globalThis.stillTheSame = true');
    await page.route('**/assets/rules-*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'Rules' }).click();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.evaluate('globalThis.stillTheSame')).toBe(true);
  });

  test('a form submitted twice creates one record', async () => {
    const page = await open('/employees/new');
    await page.getByLabel('Name').fill('Pressed twice');
    await page.getByRole('button', { name: 'Create' }).dblclick();
    await page.getByRole('heading', { name: 'Pressed twice' }).waitFor();
    expect((await call('GET', '/employees?search=Pressed')).data).toHaveLength(1);
  });

  test('a store that refuses to write: the form shows its message and keeps the input', async () => {
    const reason = 'the database cannot be written: the disk is full';
    const page = await open('/employees/new', { provoked: [503] });
    await page.route('**/pbxcore/api/v3/employees', (route) =>
      route.fulfill({
        status: 503,
        json: { result: false, data: {}, messages: { error: [reason], info: [], warning: [] } },
      }),
    );
    await page.getByLabel('Name').fill('Kept here');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').getByText(reason).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Kept here');
  });
});

const servers = storePairs.find(({ name }) => name.includes('Redis'));

(servers?.available ? describePage : describePage.skip)('when Redis stands still', () => {
  const rig = usePage({}, () => servers!.open());
  const { open } = rig;

  test('bans are shown as stale, and recover by themselves', async () => {
    const page = await open('/bans', { provoked: [0, 401, 503] });
    await page.getByText('Live', { exact: true }).waitFor();
    rig.stores.redis?.pause();
    try {
      await page.getByText(/As of .*, reconnecting/).waitFor();
    } finally {
      rig.stores.redis?.resume();
    }
    await page.getByText('Live', { exact: true }).waitFor();
    await rig.call('POST', '/firewall:banIp', { ip: '203.0.113.9', seconds: 600 });
    await page.getByText('203.0.113.9').first().waitFor();
  });
});
