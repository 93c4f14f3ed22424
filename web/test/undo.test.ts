import { expect, test } from 'vitest';
import { describePage, usePage } from './page-rig.ts';

const HOLIDAY = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'BEGIN:VEVENT',
  'UID:1',
  'SUMMARY:Christmas',
  'DTSTART;VALUE=DATE:20201225',
  'RRULE:FREQ=YEARLY',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

describePage('undo in the call flow', () => {
  const { open, call } = usePage();

  test('a restored route is in its rules and under its switch again, and warnings of the service stay visible', async () => {
    const route = await call('POST', '/incoming-routes', {
      rulename: 'Sales',
      number: '4930111',
      extension: '299',
    });
    const night = await call('POST', '/off-work-times', {
      description: 'Night',
      time_from: '18:00',
      time_to: '09:00',
      extension: 'busy',
      allowRestriction: true,
      incomingRouteIds: [1, Number(route.id)],
    });
    await call('POST', '/off-work-times:override', { mode: 'closed', incomingRouteIds: [Number(route.id)] });
    const page = await open(`/incoming-routes/${route.id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Sales is deleted').waitFor();
    expect((await call('GET', `/off-work-times/${night.id}`)).incomingRouteIds).toEqual([1]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    const [back] = await call('GET', '/incoming-routes');
    expect((await call('GET', `/off-work-times/${night.id}`)).incomingRouteIds).toEqual([1, Number(back.id)]);
    expect(await call('GET', `/off-work-times:getState?incomingRouteId=${back.id}`)).toMatchObject({
      state: 'closed',
      override: { mode: 'closed' },
    });
    // Notices under the pointer stay until it leaves.
    await page.mouse.move(0, 0);
    await page.getByText('Undone').waitFor({ state: 'detached' });
    expect(await page.getByText("299 is nobody's number here").isVisible()).toBe(true);
  });

  test('deletion of a rule with a calendar needs confirmation, since its calendar cannot be restored', async () => {
    const rule = await call('POST', '/off-work-times', {
      description: 'Holidays',
      calType: 'ical',
      extension: 'busy',
    });
    await call('POST', `/off-work-times/${rule.id}:importCalendar`, { ics: HOLIDAY });
    const page = await open(`/opening-hours/${rule.id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The calendar file is not kept by the exchange').waitFor();
    expect(await call('GET', '/off-work-times')).toHaveLength(2);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Holidays is deleted').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await call('GET', '/off-work-times')).toHaveLength(1);
  });

  test('a queue is restored with the states of its members', async () => {
    for (const number of ['201', '202', '203'])
      await call('POST', '/employees', {
        number,
        user_username: `Anna ${number}`,
        sip_secret: `only-for-this-${number}`,
      });
    const queue = await call('POST', '/call-queues', {
      name: 'Support',
      extension: '600',
      members: [{ extension: '201' }, { extension: '202' }, { extension: '203' }],
    });
    const states = [
      { extension: '201', state: 'out', reason: '' },
      { extension: '202', state: 'paused', reason: 'lunch' },
      { extension: '203', state: 'in', reason: '' },
    ];
    const page = await open(`/queues/${queue.id}`);
    await page.getByRole('heading', { name: 'Support' }).waitFor();
    for (const state of states) await call('POST', `/call-queues/${queue.id}:setMemberState`, state);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/is deleted/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect((await call('GET', `/call-queues/${queue.id}`)).members).toMatchObject(states);
  });
});
