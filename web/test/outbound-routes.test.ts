import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { choose } from './choose.ts';
import { HOSTILE } from './hostile.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

const routes = (page: Page) => page.getByRole('list', { name: 'Outbound routes' }).getByRole('listitem');

describePage('outbound routes', () => {
  const { open, call } = usePage();

  test('the first route is created as sentences, and a number is tried while it is typed', async () => {
    await call('POST', '/employees', {
      number: '201',
      user_username: 'Anna Meyer',
      sip_secret: 'only-for-this-1',
    });
    for (const [id, description] of [
      ['SIP-TRUNK-NORTH', 'Northern Lines'],
      ['SIP-TRUNK-HOSTILE', HOSTILE.slice(0, 95)],
    ])
      await call('POST', '/sip-providers', {
        id,
        description,
        host: 'north.example',
        username: 'u',
        secret: 'only-for-this-test-1',
      });
    const page = await open('/outbound-routes', { provoked: [400] });
    await page.getByText('Every provider is tried in turn').waitFor();
    await page.getByRole('link', { name: 'New outbound route' }).first().click();
    await page.getByLabel('Name').fill('Abroad');
    await choose(page.getByRole('combobox', { name: 'Provider' }), 'Northern Lines');
    await page.getByLabel('Beginning of the number').fill('ABC');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('must be digits, X, N, Z').waitFor();
    await page.getByLabel('Beginning of the number').fill('00');
    await page.getByLabel('Digits to cut').fill('2');
    await page.getByLabel('Digits put before').fill('+');
    await choose(page.getByRole('combobox', { name: 'Counts as' }), 'International calls');
    await picture(page, 'outbound-route-new');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('from now on only outbound routes say what goes out').waitFor();
    expect(await call('GET', '/outbound-routes')).toMatchObject([
      { numberbeginswith: '00', trimfrombegin: 2, prepend: '+' },
    ]);

    await call('POST', '/outbound-routes', {
      rulename: HOSTILE.slice(0, 95),
      providerid: 'SIP-TRUNK-HOSTILE',
      note: HOSTILE,
    });
    await page.getByRole('link', { name: 'Outbound routes' }).click();
    await routes(page).nth(1).waitFor();
    await page.getByLabel('Try a number').fill('0049301234');
    await page.getByText('+49301234', { exact: true }).first().waitFor();
    await page.waitForURL(/number=0049301234/);
    expect(await page.title()).not.toBe('owned');
    await picture(page, 'outbound-routes-wide-light');
    await expectAccessible(page);
    await page.getByLabel('Try a number').fill('201');
    await page.getByText('Rings an internal number').waitFor();
    await page.getByRole('button', { name: /^Move Abroad, place 1/ }).press('ArrowDown');
    await page.getByRole('button', { name: /^Move Abroad, place 2/ }).waitFor();
    await page.getByText('The order was changed').waitFor();
    expect((await call('GET', '/outbound-routes'))[1]).toMatchObject({ rulename: 'Abroad' });
  });

  test('in a narrow window, dark and in Russian, a deleted route is restored by undo', async () => {
    const page = await open('/outbound-routes?number=112', {
      viewport: NARROW,
      scheme: 'dark',
      language: 'ru',
    });
    await page.getByText('Экстренный номер').waitFor();
    await page.getByRole('link', { name: 'Abroad' }).waitFor();
    await picture(page, 'outbound-routes-narrow-dark');
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('link', { name: 'Abroad' }).click();
    await page.getByLabel('Имя').waitFor();
    await picture(page, 'outbound-route-narrow-dark');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Удалить' }).click();
    await page.getByText('Удалено: Abroad').waitFor();
    await page.getByRole('button', { name: 'Отменить' }).click();
    await page.getByRole('link', { name: 'Abroad' }).waitFor();
    expect(await call('GET', '/outbound-routes')).toHaveLength(2);
  });
});
