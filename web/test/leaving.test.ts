import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

describePage('leaving a screen', () => {
  const { open, call, origin } = usePage();
  let employee = '';

  beforeAll(async () => {
    const fields = { number: '201', user_username: 'Anna', sip_secret: 'a-long-secret-1' };
    employee = `/employees/${(await call('POST', '/employees', fields)).id}`;
  });

  const asked = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
  const goTo = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name }).click();

  test('asks before unsaved input is lost: staying keeps it, leaving goes to the chosen place', async () => {
    const page = await open('/employees');
    await page.getByRole('link', { name: 'Anna' }).click();
    const name = page.getByLabel('Name');
    await name.fill('Anna Albers');
    await goTo(page, 'Calls');
    await asked(page).waitFor();
    await expectAccessible(page);
    await picture(page, 'leave-dirty', { fullPage: false });
    await asked(page).getByRole('button', { name: 'Stay here' }).click();
    await asked(page).waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Anna Albers');
    await page.goBack();
    await asked(page).waitFor();
    await page.keyboard.press('Escape');
    await asked(page).waitFor({ state: 'detached' });
    // The address is restored a moment after the answer.
    await page.waitForURL(origin() + employee);
    // For reloading and closing, the browser itself asks.
    const browserAsked = page.waitForEvent('dialog');
    const reloaded = page.evaluate('setTimeout(() => location.reload())');
    const dialog = await browserAsked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await reloaded;
    expect(await name.inputValue()).toBe('Anna Albers');
    await goTo(page, 'Calls');
    await asked(page).getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`${origin()}/calls`);
  });

  test('asks on signing out too, from the menu and from the palette', async () => {
    const page = await open(employee, { provoked: [401] });
    const name = page.getByLabel('Name');
    await name.fill('Anna Albers');
    await page.getByRole('button', { name: 'Account admin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await asked(page).waitFor();
    // A closing menu no longer has entries.
    await page.locator('[role=menu]').waitFor({ state: 'detached' });
    await picture(page, 'leave-sign-out', { fullPage: false });
    await expectAccessible(page);
    await asked(page).getByRole('button', { name: 'Stay here' }).click();
    await asked(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page
      .getByRole('dialog', { name: 'Search and jump' })
      .getByRole('button', { name: 'Sign out' })
      .click();
    await asked(page).waitFor();
    await page.keyboard.press('Escape');
    await asked(page).waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Anna Albers');
    await page.getByRole('button', { name: 'Account admin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await asked(page).getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await asked(page).count()).toBe(0);
  });

  test('asks nothing after saving, cancelling or deleting, or without input', async () => {
    const page = await open(employee);
    const name = page.getByLabel('Name');
    await name.fill('Anna Berg');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').first().waitFor();
    await goTo(page, 'Employees');
    await page.getByRole('link', { name: 'Anna Berg' }).click();
    await name.fill('somebody else');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Anna Berg' }).click();
    await name.waitFor();
    await goTo(page, 'Employees');
    await page.getByRole('link', { name: 'New employee' }).click();
    await name.fill('Boris');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Boris' }).waitFor();
    await name.fill('gone soon');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(`${origin()}/employees`);
    expect(await asked(page).count()).toBe(0);
  });

  test('asks in specific words about a new key that nobody has read yet', async () => {
    const page = await open('/api-keys', { viewport: NARROW, scheme: 'dark' });
    await page.getByRole('link', { name: 'New key' }).first().click();
    await page.getByLabel('Name').fill('reports');
    await page.getByRole('radio', { name: 'Bouncer' }).check();
    await page.waitForURL(/preset=bouncer/);
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('region', { name: 'The key' }).waitFor();
    await page.goBack();
    const dialog = page.getByRole('dialog', { name: 'Leave without the key?' });
    await dialog.waitFor();
    await expectAccessible(page);
    await picture(page, 'leave-key', { fullPage: false });
    await dialog.getByRole('button', { name: 'Stay here' }).click();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('link', { name: 'reports' }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  test.each([
    ['de', 'Ohne Speichern verlassen?', 'Hier bleiben'],
    ['ru', 'Уйти без сохранения?', 'Остаться'],
  ] as const)('asks in %s', async (language, title, stay) => {
    const page = await open('/rules', { language });
    await page.getByRole('radio').nth(1).check();
    await page.getByRole('navigation').getByRole('link').first().click();
    await page.getByRole('dialog', { name: title }).getByRole('button', { name: stay }).click();
    expect(page.url()).toBe(`${origin()}/rules`);
  });

  test('ignores shortcuts in a field or behind a dialog', async () => {
    const page = await open('/bans');
    const keys = async () => {
      for (const key of ['g', 'e', '/', 'Control+k', '?']) await page.keyboard.press(key);
    };
    const dialogs = page.getByRole('dialog');
    const field = page.getByRole('textbox').first();
    await field.focus();
    await keys();
    expect(await field.inputValue()).toContain('ge/');
    await field.fill('');
    await page.getByRole('button', { name: 'Ban an address' }).first().click();
    await dialogs.getByRole('button', { name: 'Close' }).focus();
    await keys();
    expect(page.url()).toBe(`${origin()}/bans`);
    expect(await dialogs.count()).toBe(1);
    await page.keyboard.press('Escape');
    await dialogs.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search and jump' }).waitFor();
  });
});
