import { expect, test } from 'vitest';
import { choose } from './choose.ts';
import { describePage, expectAccessible, picture, usePage } from './page-rig.ts';

describePage('opening hours switched by hand', () => {
  const { open, call } = usePage();

  test('states set by hand for single routes are shown, and end one by one or all together', async () => {
    const route = async (rulename: string, number: string) =>
      Number((await call('POST', '/incoming-routes', { rulename, number, extension: 'busy' })).id);
    const [sales, support] = [await route('Sales', '4930111'), await route('Support', '4930112')];
    await call('POST', '/off-work-times', {
      description: 'Night',
      extension: 'busy',
      date_from: '2020-01-01',
      date_to: '2020-01-01',
    });
    const set = (mode: string, incomingRouteIds: number[]) =>
      call('POST', '/off-work-times:override', { mode, incomingRouteIds });
    const inForce = async () =>
      (await call('GET', '/off-work-times:getOverrides')).map(
        ({ mode, incomingRouteIds }: { mode: string; incomingRouteIds: number[] }) => [
          mode,
          incomingRouteIds,
        ],
      );
    await set('closed', [support]);
    await set('closed', [sales]);
    const page = await open('/opening-hours');
    const byHand = page.getByRole('list', { name: 'By hand' }).getByRole('listitem');
    await page.getByText('Now: open', { exact: true }).waitFor();
    await byHand.filter({ hasText: 'Support: Closed by hand' }).waitFor();
    await page.getByText('apply to all calls and replace this').waitFor();
    await picture(page, 'opening-hours-by-hand-routes');
    await expectAccessible(page);
    const ofSales = byHand.filter({ hasText: 'Sales: Closed by hand' });
    await ofSales.getByRole('button', { name: 'Back to the rules' }).click();
    await ofSales.waitFor({ state: 'detached' });
    expect(await inForce()).toEqual([['closed', [support]]]);

    await set('closed', []);
    await set('open', [sales]);
    await byHand.filter({ hasText: 'Sales: Opened by hand' }).getByRole('button').click();
    await byHand.filter({ hasText: 'Sales: By the rules' }).waitFor();
    expect(await inForce()).toEqual([
      ['closed', []],
      ['auto', [sales]],
    ]);
    await page.getByRole('button', { name: 'All back to the rules' }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
    expect(await inForce()).toEqual([]);
  });

  test('the state of the line is shown for the chosen route, which is named where routes differ', async () => {
    const routes: { id: string; rulename: string }[] = await call('GET', '/incoming-routes');
    const support = routes.find(({ rulename }) => rulename === 'Support')?.id;
    const { id } = await call('POST', '/off-work-times', {
      description: 'Support has moved',
      weekday_from: 1,
      weekday_to: 7,
      extension: 'busy',
      allowRestriction: true,
      incomingRouteIds: [Number(support)],
    });
    const page = await open('/opening-hours');
    const now = page.getByRole('status').filter({ hasText: 'Now:' });
    await now.filter({ hasText: 'All other calls' }).getByText('Now: open', { exact: true }).waitFor();
    await choose(page.getByRole('combobox', { name: 'For calls of the route' }), 'Support');
    const ofSupport = now.filter({ hasText: /^Support/ });
    await ofSupport.getByText('Now: closed', { exact: true }).waitFor();
    await ofSupport.getByText('By the rule “Support has moved”').waitFor();
    await picture(page, 'opening-hours-of-route');
    await expectAccessible(page);
    await page.reload();
    await ofSupport.getByText('Now: closed', { exact: true }).waitFor();
    await call('DELETE', `/off-work-times/${id}`);
    await ofSupport.getByText('Now: open', { exact: true }).waitFor();
  });

  test('unreadable parts of the hours are reported, the rest is shown, and a retry reads them', async () => {
    const page = await open('/sounds', { provoked: [503] });
    let isBroken = true;
    await page.route('**/off-work-times:getOverrides', (route) =>
      isBroken ? route.fulfill({ status: 503, json: {} }) : route.continue(),
    );
    await page.getByRole('link', { name: 'Opening hours' }).click();
    await page.getByRole('link', { name: 'Night' }).waitFor();
    const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await picture(page, 'opening-hours-unread');
    isBroken = false;
    await retry.click();
    await page.getByText(/^Now:/).waitFor();
    await retry.waitFor({ state: 'detached' });
  });

  test('the end of a day is shown and entered as midnight, and is kept', async () => {
    const { id } = await call('POST', '/off-work-times', {
      description: 'Evening',
      time_from: '18:00',
      time_to: '24:00',
      extension: 'busy',
    });
    const page = await open(`/opening-hours/${id}`);
    const until = page.getByLabel('until', { exact: true });
    const save = page.getByRole('button', { name: 'Save' });
    expect(await until.inputValue()).toBe('00:00');
    await page.getByText('Until midnight: the end of the day.').waitFor();
    await page.getByLabel('Name').fill('Late');
    await save.click();
    await page.getByRole('heading', { name: 'Late' }).waitFor();
    const times = { time_from: '18:00', time_to: '24:00' };
    expect(await call('GET', `/off-work-times/${id}`)).toMatchObject({ description: 'Late', ...times });
    await until.fill('22:00');
    await page.getByText('Until midnight').waitFor({ state: 'detached' });
    await until.fill('00:00');
    await page.getByLabel('Name').fill('Evening');
    await save.click();
    await page.getByRole('heading', { name: 'Evening' }).waitFor();
    expect(await call('GET', `/off-work-times/${id}`)).toMatchObject(times);
  });
});
