import { expect, test } from 'vitest';
import { HOSTILE } from './hostile.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

/** Two of routes and their hours, the default route, the rule, four of the menu, five of the queue, one forward. */
const LINES = 16;
const DRAWING = `document.querySelector('section[tabindex="0"]')`;

describePage('the call flow diagram', () => {
  const { open, call } = usePage();

  test('numbers, hours, menus, queues and people are drawn from the records, and each box links to its screen', async () => {
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
    const [boris] = (await call('GET', '/employees?search=number:202')).data;
    const members = [{ extension: '201' }, { extension: '202' }];
    await call('POST', '/call-queues', {
      id: 'QUEUE-SUPPORT',
      name: 'Support',
      extension: '600',
      members,
      timeout_to_redirect_to_extension: 60,
      timeout_extension: '203',
      redirect_to_extension_if_empty: '+49301234567',
    });
    await call('PATCH', `/employees/${boris.id}`, { fwd_forwardingonbusy: '201' });
    await call('POST', '/ivr-menu', {
      name: 'Main',
      extension: '700',
      actions: [
        { digits: '1', extension: '600' },
        { digits: '2', extension: '203' },
        { digits: '0', extension: '700' },
      ],
      timeout_extension: '202',
      invalid_extension: 'hangup',
    });
    await call('PATCH', '/call-queues/QUEUE-SUPPORT', { redirect_to_extension_if_full: '700' });
    await call('POST', '/incoming-routes', { rulename: 'Office', number: '4930111', extension: '700' });
    await call('POST', '/incoming-routes', {
      rulename: HOSTILE.slice(0, 95),
      number: '4930112',
      extension: 'busy',
      disabled: true,
    });
    await call('POST', '/off-work-times', {
      description: 'Weekend',
      weekday_from: 6,
      weekday_to: 7,
      extension: '201',
    });
    const page = await open('/call-flow');
    await page
      .getByRole('listitem')
      .filter({ hasText: '4930111' })
      .getByText('Leads to open: Main, closed: Opening hours')
      .waitFor();
    await page.getByText(/Leads to .*1: Support.*no key: Boris Kern, wrong key: end the call/).waitFor();
    await page
      .getByText(
        /rings: Anna Meyer, rings: Boris Kern, after 60 s: .*, nobody there: \+49301234567, queue full: Main$/,
      )
      .waitFor();
    await page.getByText('Leads to busy: Anna Meyer').waitFor();
    expect(await page.locator('section path[d][marker-end]').count()).toBe(LINES);
    expect(await page.title()).not.toBe('owned');
    await picture(page, 'call-flow-wide-light');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Support' }).click();
    await page.getByRole('heading', { name: 'Support' }).waitFor();
  });

  test('the fate of a call is explained, and the address keeps the question', async () => {
    const page = await open('/call-flow');
    await page.getByLabel('Called number').fill('4930111');
    await page.getByLabel('When (empty: now)').fill('2026-05-05T10:00');
    await page.getByLabel('Keys in menus').fill('1');
    await page.getByRole('button', { name: 'Explain' }).click();
    const steps = page.getByRole('region', { name: 'What would happen to a call?' }).getByRole('listitem');
    await steps.filter({ hasText: 'Main' }).first().waitFor();
    await steps.filter({ hasText: 'Anna Meyer <201>' }).first().waitFor();
    expect(page.url()).toContain('number=4930111');
    await picture(page, 'call-flow-explained');
    await expectAccessible(page);
    await page.reload();
    await steps.filter({ hasText: 'Main' }).first().waitFor();
  });

  test('asking again repeats the request, and Back restores the question with its answer', async () => {
    const page = await open('/call-flow');
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('incoming-routes:explain')) asked += 1;
    });
    const number = page.getByLabel('Called number');
    const steps = page.getByRole('region', { name: 'What would happen to a call?' }).getByRole('listitem');
    const explain = page.getByRole('button', { name: 'Explain' });
    await number.fill('4930111');
    await explain.click();
    await steps.filter({ hasText: 'Main' }).first().waitFor();
    expect(asked).toBe(1);
    // Without a time the request is about the current moment, which has changed.
    await explain.click();
    await expect.poll(() => asked).toBe(2);
    await number.fill('4930112');
    await explain.click();
    await expect.poll(() => asked).toBe(3);
    await page.goBack();
    await expect.poll(() => number.inputValue()).toBe('4930111');
    await steps.filter({ hasText: 'Main' }).first().waitFor();
  });

  test('the diagram keeps scroll position and focus while new data is read', async () => {
    const page = await open('/call-flow', { viewport: NARROW });
    await page.getByRole('link', { name: 'Main' }).waitFor();
    await page.evaluate(`${DRAWING}.focus(); ${DRAWING}.scrollLeft = 200`);
    const held: (() => void)[] = [];
    await page.route('**/call-queues/QUEUE-NEW', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await call('POST', '/call-queues', { id: 'QUEUE-NEW', name: 'Newcomer', extension: '601' });
    await page.getByRole('link', { name: 'Newcomer' }).waitFor();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    expect(await page.evaluate(`document.activeElement === ${DRAWING} && ${DRAWING}.scrollLeft`)).toBe(200);
    for (const release of held) release();
  });

  test('in a narrow window, dark and in Russian, the diagram scrolls and the page does not', async () => {
    const page = await open('/call-flow', { viewport: NARROW, scheme: 'dark', language: 'ru' });
    await page.getByRole('link', { name: 'Main' }).waitFor();
    await picture(page, 'call-flow-narrow-dark');
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
