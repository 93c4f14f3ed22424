import { beforeAll, expect, test } from 'vitest';
import { choose } from './choose.ts';
import { describePage, expectAccessible, picture, usePage } from './page-rig.ts';

describePage('employees in use', () => {
  const { open, call } = usePage();
  const ids: Record<string, string> = {};
  let queue = '';

  beforeAll(async () => {
    for (const [number = '', user_username] of [
      ['201', 'Anna'],
      ['202', 'Boris'],
      ['203', 'Cora'],
      ['204', 'Dora'],
    ])
      ids[number] = (
        await call('POST', '/employees', { number, user_username, sip_secret: `only-for-this-${number}` })
      ).id;
    const members = ['203', '201', '202'].map((extension) => ({ extension }));
    queue = (await call('POST', '/call-queues', { name: 'Support', extension: '600', members })).id;
    await call('POST', '/incoming-routes', { rulename: 'Front desk', number: '4930111', extension: '201' });
  });

  const members = async () =>
    ((await call('GET', `/call-queues/${queue}`)).members as { extension: string; state: string }[]).map(
      ({ extension, state }) => `${extension} ${state}`,
    );

  test('a deleted member of a queue is restored at the same place in the same state', async () => {
    for (const [extension, state] of [
      ['201', 'paused'],
      ['203', 'out'],
    ])
      await call('POST', `/call-queues/${queue}:setMemberState`, { extension, state });
    const page = await open(`/employees/${ids['203']}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Cora is deleted').waitFor();
    expect(await members()).toEqual(['201 paused', '202 in']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect(await members()).toEqual(['203 out', '201 paused', '202 in']);
  });

  test('of several employees none is deleted while one is in use, and each use is shown', async () => {
    const page = await open('/employees', { provoked: [409], language: 'ru' });
    await page.getByRole('checkbox', { name: '201 Anna' }).check();
    await page.getByRole('checkbox', { name: '202 Boris' }).check();
    await page.getByRole('button', { name: 'Удалить' }).click();
    const dialog = page.getByRole('dialog', { name: 'Некоторые из них используются' });
    await dialog.getByText('Anna <201>').waitFor();
    expect(await dialog.getByText('Boris').count()).toBe(0);
    await picture(page, 'employees-in-use', { fullPage: false });
    await expectAccessible(page);
    expect(await dialog.getByRole('link').allInnerTexts()).toEqual(['Входящий маршрут Front desk']);
    expect((await call('GET', '/employees')).data).toHaveLength(4);
  });

  test('the users of an employee are shown, and one step redirects them and deletes the employee', async () => {
    const page = await open(`/employees/${ids['201']}`, { provoked: [409, 400] });
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Anna <201> is in use' });
    await dialog.getByRole('link').first().waitFor();
    expect(await dialog.getByRole('link').allInnerTexts()).toEqual(['Incoming route Front desk']);
    const target = dialog.getByRole('combobox', { name: 'Send these calls to' });
    await choose(target, '112', '112');
    await dialog.getByRole('button', { name: 'Replace and delete' }).click();
    // The error does not repeat the field's name.
    await dialog.getByText(/^must be a number/).waitFor();
    await choose(target, 'Dora <204>', 'dora');
    await picture(page, 'employee-in-use', { fullPage: false });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Replace and delete' }).click();
    await page.getByRole('heading', { name: 'Employees' }).waitFor();
    expect(await call('GET', '/incoming-routes')).toMatchObject([{ extension: '204' }]);
    await page.getByText('these calls stay with the new target').waitFor();
    expect(await members()).toEqual(['203 out', '202 in']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect(await members()).toEqual(['203 out', '201 paused', '202 in']);
    expect(await call('GET', '/incoming-routes')).toMatchObject([{ extension: '204' }]);
  });
});
