import { expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { ADMIN_PASSWORD } from '../../server/test/make-app.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

describePage('the first start', () => {
  const { open, origin, engine, call, generatedPassword } = usePage({ PBXCORE_ADMIN_PASSWORD: '' });

  test('the first start leads from the generated password to the first registered phone', async () => {
    const page = await open('/', { signedIn: false, provoked: [400] });
    await page.getByLabel('Password', { exact: true }).fill(generatedPassword());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${origin()}/welcome`);

    await page.getByText('Choose one of your own').waitFor();
    await expectAccessible(page);
    await picture(page, 'welcome-password');
    await page.getByLabel('Current password', { exact: true }).fill('a wrong one');
    await page.getByLabel('New password', { exact: true }).fill(ADMIN_PASSWORD);
    await page.getByLabel('New password again', { exact: true }).fill('another');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The two passwords are not the same').waitFor();
    await page.getByLabel('New password again', { exact: true }).fill(ADMIN_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('is not the current password').waitFor();
    await page.getByLabel('Current password', { exact: true }).fill(generatedPassword());
    await page.getByRole('button', { name: 'Change password' }).click();

    await page.getByLabel('Name', { exact: true }).fill('Anna Ahorn');
    await eventually(async () =>
      expect(await page.getByLabel('Number', { exact: true }).inputValue()).toBe('200'),
    );
    await picture(page, 'welcome-employee');
    await page.getByRole('button', { name: 'Create employee' }).click();

    await page.getByText('Waiting for a phone to register as 200').waitFor();
    const [employee] = (await call('GET', '/employees?search=200')).data;
    const { sip_secret: secret } = await call('GET', `/employees/${employee.id}`);
    await page.getByText(secret).waitFor();
    await page.getByRole('img', { name: 'Code with all these values' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'welcome-phone');

    await eventually(() => expect(engine.served.extensions.map(({ number }) => number)).toEqual(['200']));
    engine.register('200', { address: '192.0.2.30', userAgent: 'Desk phone 7' });
    await page.getByText('Desk phone 7, 192.0.2.30').waitFor();
    await picture(page, 'welcome-registered');
    // Every other session ended with the old password; this one goes on.
    await page.reload();
    await page.getByText('Desk phone 7, 192').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('the service reports the problem of a new password at its field', async () => {
    const page = await open('/password', { provoked: [400] });
    await page.getByLabel('Current password', { exact: true }).fill(ADMIN_PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill('short');
    await page.getByLabel('New password again', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('at least 12 characters (got 5)').waitFor();
    await expectAccessible(page);
    await picture(page, 'password');
  });

  test('the account menu opens the steps again, narrow and dark, whatever name a phone gives itself', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202e{{number}}$t(app.signOut)"'.repeat(200).slice(0, 4000);
    engine.unregister('200');
    engine.register('200', { address: '192.0.2.31', userAgent: hostile });
    const page = await open('/?nothing', {
      viewport: NARROW,
      scheme: 'dark',
      language: 'de',
      provoked: [404],
    });
    await page.getByRole('button', { name: 'Konto admin' }).click();
    await page.getByRole('menuitem', { name: 'Erste Schritte' }).click();
    await page.getByText('Das Telefon ist angemeldet').waitFor();
    await page.getByText(hostile.slice(0, 40)).waitFor();
    await expectAccessible(page);
    await picture(page, 'welcome-narrow-dark');
    await page.goto(`${origin()}/welcome?step=phone&employee=99999`);
    await page.getByText('Es gibt noch keinen Mitarbeiter').waitFor();
  });
});
