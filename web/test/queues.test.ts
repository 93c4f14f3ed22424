import { expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { choose } from './choose.ts';
import { HOSTILE } from './hostile.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

describePage('queues', () => {
  const { open, call, engine } = usePage();

  test('a queue is created with its members in order, and the board shows them live', async () => {
    for (const [number, name] of [
      ['201', 'Anna Meyer'],
      ['202', 'Boris Kern'],
      ['203', HOSTILE.slice(0, 90)],
    ])
      await call('POST', '/employees', {
        number,
        user_username: name,
        sip_secret: `only-for-this-${number}`,
      });
    const page = await open('/queues');
    await page.getByText('There is no queue yet').waitFor();
    await page.getByRole('link', { name: 'New queue' }).first().click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Support');
    for (const number of ['202', '201', '203'])
      await choose(page.getByRole('combobox', { name: 'Add a member' }), new RegExp(`<${number}>`), number);
    await page.getByRole('button', { name: /^Move Anna Meyer <201>, place 2/ }).press('ArrowUp');
    await page.getByRole('button', { name: /^Move Anna Meyer <201>, place 1/ }).waitFor();
    await choose(page.getByRole('combobox', { name: 'Who is rung' }), 'One, then two, then three …');
    await page.getByLabel('Longest wait in seconds').fill('60');
    const overflow = page.getByRole('combobox', { name: 'Target after the longest wait' });
    await choose(overflow, 'Anna Meyer <201>', 'anna');
    await picture(page, 'queue-new');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Support' }).waitFor();
    const [stored] = (await call('GET', '/call-queues')) as {
      id: string;
      members: { extension: string }[];
    }[];
    expect(stored?.members.map(({ extension }) => extension)).toEqual(['201', '202', '203']);

    await eventually(() => expect(engine.served.callFlow?.queues).toHaveLength(1));
    engine.changeMember(stored?.id ?? '', '202', { device: 'inuse' });
    const board = page.getByRole('region', { name: 'Now' });
    await board.getByText('In a call').waitFor();
    await choose(board.getByRole('combobox', { name: 'State of Anna Meyer <201>' }), 'Paused');
    await board.getByText('Paused', { exact: true }).first().waitFor();
    const { members } = await call('GET', `/call-queues/${stored?.id}`);
    expect(members[0]).toMatchObject({ extension: '201', state: 'paused' });
    expect(await page.title()).not.toBe('owned');
    await picture(page, 'queue-wide-light');
    await expectAccessible(page);
  });

  test('in a narrow window, dark and in German, the list shows the current activity', async () => {
    const page = await open('/queues', { viewport: NARROW, scheme: 'dark', language: 'de' });
    await page.getByRole('link', { name: 'Support' }).waitFor();
    await page.getByText('0 / 0').waitFor();
    await picture(page, 'queues-narrow-dark');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Support' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    await picture(page, 'queue-narrow-dark');
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('button', { name: 'Löschen' }).click();
    await page.getByText(/ist gelöscht/).waitFor();
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await page.getByRole('link', { name: 'Support' }).waitFor();
    expect(await call('GET', '/call-queues')).toMatchObject([{ strategy: 'growing' }]);
  });

  test('while the engine is away no old state of the queues is shown as current, and it recovers by itself', async () => {
    const [stored] = (await call('GET', '/call-queues')) as { id: string }[];
    await eventually(() => expect(engine.served.callFlow?.queues).toHaveLength(1));
    engine.changeMember(stored?.id ?? '', '202', { device: 'free' });
    const page = await open(`/queues/${stored?.id}`, { provoked: [503] });
    const free = page.getByRole('region', { name: 'Now' }).getByText('Free', { exact: true });
    const member = page.getByRole('listitem').filter({ hasText: 'Boris Kern' });
    await member.getByText('Free', { exact: true }).waitFor();
    engine.goDown();
    const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    expect(await free.count()).toBe(0);
    const list = await open('/queues', { provoked: [503] });
    await list.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    engine.comeUp();
    await member.getByText('Free', { exact: true }).waitFor();
    await list.getByText('0 / 0').waitFor();
    await list.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('an unreadable board is reported as such, and the button reads it again', async () => {
    const [stored] = (await call('GET', '/call-queues')) as { id: string }[];
    const page = await open(`/queues/${stored?.id}`, { provoked: [503] });
    const board = page.getByRole('region', { name: 'Now' });
    await board.waitFor();
    let isBroken = true;
    let failed = 0;
    await page.route('**/call-queues:getStatuses', (route) => {
      if (!isBroken) return route.continue();
      failed += 1;
      return route.fulfill({ status: 503, json: {} });
    });
    engine.changeMember(stored?.id ?? '', '202', { device: 'inuse' });
    const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    expect(await board.count()).toBe(0);
    // Member and queue each cause an event and a request; after those, only the button sends requests.
    await expect.poll(() => failed).toBeGreaterThan(1);
    isBroken = false;
    await retry.click();
    await board.getByText('In a call').waitFor();
  });
});
