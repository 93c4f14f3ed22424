import { beforeAll, expect, test } from 'vitest';
import { choose } from './choose.ts';
import { describePage, usePage } from './page-rig.ts';

describePage('menus and queues in use', () => {
  const { open, call } = usePage();
  let menu = '';
  let queue = '';

  beforeAll(async () => {
    menu = (
      await call('POST', '/ivr-menu', {
        name: 'Front',
        extension: '700',
        actions: [{ digits: '0', extension: '700' }],
      })
    ).id;
    queue = (await call('POST', '/call-queues', { name: 'Support', extension: '600' })).id;
    for (const [number, user_username, fwd_forwarding] of [
      ['201', 'Anna', '700'],
      ['202', 'Boris', '600'],
    ])
      await call('POST', '/employees', {
        number,
        user_username,
        fwd_forwarding,
        sip_secret: `only-for-this-${number}`,
      });
    await call('POST', '/incoming-routes', { rulename: 'Sales', number: '4930111', extension: '700' });
  });

  test('if the users of a menu cannot be read, the message of the service is shown', async () => {
    const page = await open(`/menus/${menu}`, { provoked: [409, 500] });
    await page.route('**/extensions/700', (route) => route.fulfill({ status: 500, json: {} }));
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Front <700> is used by incoming route "Sales"').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('only users that keep a menu are listed, not forwards or the menu itself; remaining forwards stay visible', async () => {
    const page = await open(`/menus/${menu}`, { provoked: [409] });
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Front <700> is in use' });
    await dialog.getByRole('link').first().waitFor();
    expect(await dialog.getByRole('link').allInnerTexts()).toEqual(['Incoming route Sales']);
    await choose(dialog.getByRole('combobox', { name: 'Send these calls to' }), 'Anna <201>', 'anna');
    await dialog.getByRole('button', { name: 'Replace and delete' }).click();
    const done = page.getByText('Front <700> is deleted');
    await done.waitFor();
    // Notices under the pointer stay until it leaves.
    await page.mouse.move(0, 0);
    await done.waitFor({ state: 'detached' });
    expect(await page.getByText('700 is gone, but these forward to it: 201 Anna').isVisible()).toBe(true);
    expect(await call('GET', '/incoming-routes')).toMatchObject([{ extension: '201' }]);
  });

  test('employees who forward to a deleted queue are named until the deletion is undone', async () => {
    const page = await open(`/queues/${queue}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const warning = page.getByText('600 is gone, but these forward to it: 202 Boris');
    await warning.waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    await warning.waitFor({ state: 'detached' });
  });
});
