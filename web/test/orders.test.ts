import { beforeEach, expect, test } from 'vitest';
import { describePage, expectAccessible, picture, usePage } from './page-rig.ts';

const ORDERS = /incoming-routes:changePriority/;

describePage('an order that is not yet stored', () => {
  const { open, call, origin } = usePage();

  beforeEach(async () => {
    const names = (await call('GET', '/incoming-routes')).map(
      ({ rulename }: { rulename: string }) => rulename,
    );
    for (const rulename of ['First', 'Second', 'Third'])
      if (!names.includes(rulename))
        await call('POST', '/incoming-routes', {
          rulename,
          number: `493011${rulename.length}`,
          extension: 'busy',
        });
  });

  const stored = async () =>
    (await call('GET', '/incoming-routes'))
      .map(({ rulename }: { rulename: string }) => rulename)
      .filter(Boolean)
      .join();

  test('is reverted in the list on failure, with a visible notice and an announcement', async () => {
    const page = await open('/incoming-routes', { provoked: [503] });
    await page.route(ORDERS, (route) =>
      route.fulfill({
        status: 503,
        json: { data: null, messages: { error: ['The database is away'], warning: [], info: [] } },
      }),
    );
    await page.getByRole('button', { name: /^Move Third, place 3/ }).press('ArrowUp');
    await page
      .getByText('The new order was not stored: the list is as before')
      .waitFor({ state: 'attached' });
    await page.getByRole('button', { name: /^Move Third, place 3/ }).waitFor();
    const notice = page
      .getByRole('alert')
      .filter({ hasText: 'The new order was not stored. The database is away' });
    await picture(page, 'order-lost');
    await expectAccessible(page);
    // The notice stays until closed, also on the next screen.
    await page.getByRole('navigation').getByRole('link', { name: 'Menus' }).click();
    await page.getByRole('heading', { name: 'Menus' }).waitFor();
    await notice.getByRole('button', { name: 'Close' }).click();
    await notice.waitFor({ state: 'detached' });
  });

  test('is shown as pending, asks before the window closes, and is stored even after leaving the screen', async () => {
    const page = await open('/incoming-routes');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(ORDERS, async (route) => {
      await released;
      await route.continue();
    });
    const before = await stored();
    const line = page.getByRole('button', { name: /^Move Third/ });
    await line.press('ArrowUp');
    await line.press('ArrowUp');
    await page.getByText('Storing the order').waitFor();
    const browserAsked = page.waitForEvent('dialog');
    const reloaded = page.evaluate('setTimeout(() => location.reload())');
    const dialog = await browserAsked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await reloaded;
    expect(await stored()).toBe(before);
    await page.getByRole('navigation').getByRole('link', { name: 'Menus' }).click();
    await page.waitForURL(`${origin()}/menus`);
    release();
    await expect.poll(stored).toBe('Third,First,Second');
    await page.getByText('The order was changed').first().waitFor();
  });
});
