import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { choose } from './choose.ts';
import { HOSTILE } from './hostile.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

const routes = (page: Page) => page.getByRole('list', { name: 'Incoming routes' }).getByRole('listitem');
const priorities = (list: { rulename: string }[]) => list.map(({ rulename }) => rulename);

describePage('incoming routes', () => {
  const { open, call } = usePage();

  test('a route is created as a sentence, and refused where the service refuses it', async () => {
    await call('POST', '/employees', {
      number: '201',
      user_username: 'Anna Meyer',
      sip_secret: 'only-for-this-1',
    });
    await call('POST', '/sip-providers', {
      id: 'SIP-TRUNK-NORTH',
      description: 'Northern Lines',
      host: 'north.example',
      username: 'u',
      secret: 'only-for-this-test-1',
    });
    const page = await open('/incoming-routes', { provoked: [400] });
    await routes(page).filter({ hasText: 'All other calls' }).waitFor();
    await page.getByRole('link', { name: 'New incoming route' }).click();
    await page.getByLabel('Called number').fill('12;3');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('must be a number, a pattern or a name').waitFor();
    await page.getByLabel('Called number').fill('4930111');
    await choose(page.getByRole('combobox', { name: 'Provider' }), 'Northern Lines');
    await choose(page.getByRole('combobox', { name: 'Target' }), 'Anna Meyer <201>', 'anna');
    await page.getByLabel('Seconds until the next route is tried').fill('20');
    await page.getByLabel('Name', { exact: true }).fill('Front desk');
    await picture(page, 'incoming-route-new');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Front desk' }).waitFor();
    const [stored] = await call('GET', '/incoming-routes');
    expect(stored).toMatchObject({
      number: '4930111',
      extension: '201',
      timeout: 20,
      providerid: 'SIP-TRUNK-NORTH',
    });
  });

  test('the order changes by keyboard and by drag, with undo, and the last route stays last', async () => {
    await call('POST', '/incoming-routes', { rulename: 'Second', number: '4930112', extension: '201' });
    await call('POST', '/incoming-routes', {
      rulename: HOSTILE.slice(0, 95),
      number: '4930113',
      extension: 'busy',
      callers: ['+4917*', 'anonymous'],
      note: HOSTILE,
      disabled: true,
    });
    const page = await open('/incoming-routes');
    await routes(page).nth(3).waitFor();
    expect(await routes(page).nth(0).innerText()).toContain(
      'Calls to 4930111 over Northern Lines → Anna Meyer <201>',
    );
    expect(await routes(page).nth(3).innerText()).toContain('All other calls');
    expect(await page.title()).not.toBe('owned');
    await page.getByRole('button', { name: /^Move Second, place 2/ }).press('ArrowUp');
    await page.getByText('Second is now at place 1 of 3').waitFor();
    await page.getByRole('button', { name: /^Move Second, place 1/ }).waitFor();
    await page.getByText('The order was changed').waitFor();
    expect(priorities(await call('GET', '/incoming-routes')).slice(0, 2)).toEqual(['Second', 'Front desk']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect(priorities(await call('GET', '/incoming-routes')).slice(0, 2)).toEqual(['Front desk', 'Second']);
    await picture(page, 'incoming-routes-wide-light');
    await expectAccessible(page);

    const from = await page.getByRole('button', { name: /^Move Front desk/ }).boundingBox();
    const to = await routes(page).nth(2).boundingBox();
    if (!from || !to) throw new Error('nothing to drag');
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(from.x + 5, to.y + to.height / 2, { steps: 5 });
    await page.mouse.up();
    await page.getByRole('button', { name: /^Move Front desk, place 3/ }).waitFor();
    await page.getByText('The order was changed').waitFor();
    expect(priorities(await call('GET', '/incoming-routes'))[2]).toBe('Front desk');
  });

  test('in a narrow window, dark and in German, a deleted route is restored by undo', async () => {
    const page = await open('/incoming-routes', { viewport: NARROW, scheme: 'dark', language: 'de' });
    await page.getByRole('link', { name: 'Front desk' }).waitFor();
    await picture(page, 'incoming-routes-narrow-dark');
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('link', { name: 'Front desk' }).click();
    await page.getByLabel('Gewählte Nummer').waitFor();
    await picture(page, 'incoming-route-narrow-dark');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Löschen' }).click();
    await page.getByText('Front desk ist gelöscht').waitFor();
    expect(await call('GET', '/incoming-routes')).toHaveLength(2);
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await page.getByRole('link', { name: 'Front desk' }).waitFor();
    expect(await call('GET', '/incoming-routes')).toHaveLength(3);
  });
});
