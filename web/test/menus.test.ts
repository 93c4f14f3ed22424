import { expect, test } from 'vitest';
import { insertLegs, leg } from '../../server/test/acceptance/cdr-rig.ts';
import { ago } from './calls-rig.ts';
import { choose } from './choose.ts';
import { HOSTILE } from './hostile.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

describePage('menus', () => {
  const held = usePage();
  const { open, call } = held;

  test('the first menu is created from the empty list: a number is proposed, keys get targets, warnings stay visible', async () => {
    await call('POST', '/employees', {
      number: '201',
      user_username: 'Anna Meyer',
      sip_secret: 'only-for-this-1',
    });
    await call('POST', '/employees', {
      number: '202',
      user_username: 'Boris Kern',
      sip_secret: 'only-for-this-2',
    });
    const page = await open('/menus', { provoked: [400, 409] });
    await page.getByText('There is no menu yet').waitFor();
    await picture(page, 'menus-empty');
    await page.getByRole('link', { name: 'New menu' }).first().click();
    await page.getByLabel('Name').fill('Main menu');
    const number = page.getByLabel('Number', { exact: false }).first();
    expect(await number.inputValue()).toMatch(/^6\d\d$/);
    await number.fill('201');
    await page.getByText('Already taken by Anna Meyer <201>').waitFor();
    await number.fill('700');
    await page.getByText('This number is free').waitFor();
    await page.getByRole('button', { name: 'Add a key' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByText('required')
      .or(page.getByText('must not be empty'))
      .or(page.getByText('must be a number of 1'))
      .first()
      .waitFor();
    await choose(page.getByRole('combobox', { name: 'Target of key 1' }), 'Boris Kern <202>', 'Boris');
    await page.getByRole('button', { name: 'Add a key' }).click();
    expect(await page.getByLabel('Key of row 2').inputValue()).toBe('2');
    await page.getByLabel('Key of row 2').fill('20');
    const outside = '+49301234567';
    await choose(page.getByRole('combobox', { name: 'Target of key 20' }), outside, outside);
    await page.getByRole('switch', { name: /^Callers may also dial/ }).press('Space');
    await picture(page, 'menu-new');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Main menu' }).waitFor();
    await page.getByText('20 waits 2 s, because 201 begins with it').waitFor();
    await picture(page, 'menu-stored');
    await expectAccessible(page);
    const [stored] = await call('GET', '/ivr-menu');
    expect(stored.actions.map(({ digits }: { digits: string }) => digits)).toEqual(['1', '20']);
  });

  test('the screen of a menu shows what callers pressed in the chosen days', async () => {
    const [{ id }] = await call('GET', '/ivr-menu');
    const stay = (dtmf_digits: string, dialstatus: string, seconds = 60) =>
      leg({ start: ago(seconds), dst_num: '700', appname: 'ivr', is_app: '1', dtmf_digits, dialstatus });
    const page = await open(`/menus/${id}`);
    const stats = page.getByRole('region', { name: 'What callers did' });
    await stats.getByText('Nobody called this menu in this period.').waitFor();
    await insertLegs(
      held.stores,
      ...Array.from({ length: 6 }, () => stay('1', 'CONTINUE')),
      stay('9,i,20', 'CONTINUE'),
      stay('201', 'CONTINUE'),
      stay('t,t,t,t', 'TIMEOUT'),
      stay('', 'CANCEL', 10 * 86_400),
    );
    await page.reload();
    const row = (name: string) => stats.getByRole('row').filter({ hasText: name });
    await row('1 → Boris Kern <202>').getByText('6 · 60%').waitFor();
    await row('20 → +49301234567').getByText('1 · 10%').waitFor();
    for (const name of ['Dialled an employee', 'Pressed nothing', 'Hung up in the menu'])
      await row(name).getByText('1 · 10%').waitFor();
    await row('Pressed only wrong keys').getByText('0 · 0%').waitFor();
    await picture(page, 'menu-stats');
    await expectAccessible(page);
    await stats.getByText('7 days').click();
    await row('Hung up in the menu').getByText('0 · 0%').waitFor();
    expect(page.url()).toContain('days=7d');
  });

  test('a used menu is kept, its users are shown, and one step redirects them', async () => {
    const hostile = await call('POST', '/ivr-menu', {
      name: HOSTILE,
      description: HOSTILE,
      extension: '701',
      actions: [{ digits: '0', extension: '700' }],
    });
    const page = await open('/menus', { provoked: [409] });
    await page.getByRole('link', { name: 'Main menu' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: /^Menu/ }).waitFor();
    await choose(dialog.getByRole('combobox', { name: 'Send these calls to' }), 'Anna Meyer <201>', 'anna');
    await picture(page, 'menu-in-use', { fullPage: false });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Replace and delete' }).click();
    await page.getByRole('heading', { name: 'Menus' }).waitFor();
    expect(await call('GET', `/ivr-menu/${hostile.id}`)).toMatchObject({ actions: [{ extension: '201' }] });
    expect(await call('GET', '/ivr-menu')).toHaveLength(1);
    expect(await page.title()).not.toBe('owned');
  });

  test('in a narrow window, dark and in Russian, a deleted menu is restored with its id', async () => {
    await call('POST', '/ivr-menu', {
      id: 'IVR-MAIN',
      name: 'Main',
      extension: '700',
      timeout_extension: '202',
    });
    const page = await open('/menus', { viewport: NARROW, scheme: 'dark', language: 'ru' });
    await page.getByRole('link', { name: 'Main', exact: true }).waitFor();
    await picture(page, 'menus-narrow-dark');
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('link', { name: 'Main', exact: true }).click();
    await page.getByLabel('Имя').waitFor();
    await picture(page, 'menu-narrow-dark');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Удалить' }).click();
    await page.getByText('Удалено: Main <700>').waitFor();
    await page.getByRole('button', { name: 'Отменить' }).click();
    await page.getByRole('link', { name: 'Main', exact: true }).waitFor();
    expect(await call('GET', '/ivr-menu/IVR-MAIN')).toMatchObject({ timeout_extension: '202' });
  });
});
