import { expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { ADMIN_PASSWORD } from '../../server/test/make-app.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

describePage('signing in and around every screen', () => {
  const { open, openBeside, origin } = usePage();

  test('the password opens the overview; a wrong one is refused with the message of the service', async () => {
    const page = await open('/', { signedIn: false, provoked: [401] });
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('wrong login or password').waitFor();
    await expectAccessible(page);
    await picture(page, 'sign-in');
    await page.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(
      await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'),
    ).not.toMatch(/eyJ/);
  });

  test('contract 31.5: a logout in one tab shows in the others, and so does a login', async () => {
    const page = await open('/', { provoked: [401] });
    const other = await openBeside(page, '/employees', [401]);
    await other.getByRole('button', { name: 'Account admin' }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('navigation').waitFor();
  });

  test('keys jump to screens, a question mark lists them, and the palette finds screens and actions', async () => {
    const page = await open('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    // The keys must follow each other quickly to count as a pair.
    await eventually(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('k');
      await page.waitForURL(`${origin()}/api-keys`, { timeout: 1000 });
    });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });
    const search = page.getByRole('textbox', { name: 'Search and jump' });
    const found = page.getByRole('dialog', { name: 'Search and jump' }).getByRole('button');
    const typed = async (text: string) => {
      await page.keyboard.type(text);
      await eventually(async () => expect(await found.count()).toBe(1));
      await page.keyboard.press('Enter');
      await search.waitFor({ state: 'detached' });
    };
    await page.keyboard.press('Control+k');
    await page.locator('input:focus').waitFor();
    await typed('provid');
    await page.waitForURL(`${origin()}/providers`);
    await page.keyboard.press('Control+k');
    await page.locator('input:focus').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'palette', { fullPage: false });
    await typed('new employee');
    await page.waitForURL(`${origin()}/employees/new`);
  });

  test.each(['en', 'de', 'ru'] as const)('the frame is in %s, wide and narrow', async (language) => {
    const page = await open('/', { language, viewport: NARROW, scheme: 'dark' });
    await page.getByRole('banner').getByRole('button').first().click();
    await page.getByRole('navigation').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    await expectAccessible(page);
    await picture(page, `frame-${language}`);
  });
});
