import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describePage, usePage } from './page-rig.ts';

describePage('typing while a form is being saved', () => {
  const { open, call } = usePage();
  let queue = '';

  beforeAll(async () => {
    queue = (await call('POST', '/call-queues', { name: 'Support', extension: '600' })).id;
  });

  /** Holds requests with this method until the returned function is called. */
  async function holdBack(page: Page, method: string): Promise<() => Promise<void>> {
    let held: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      held = resolve;
    });
    await page.route(/\/call-queues(\/|$)/, async (route) => {
      if (route.request().method() === method) await released;
      await route.continue();
    });
    return async () => {
      held();
      await page.unrouteAll({ behavior: 'wait' });
    };
  }

  const asked = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });

  test('input meanwhile stays in the form, is protected against loss, and is saved next', async () => {
    const page = await open(`/queues/${queue}`);
    const note = page.getByRole('textbox', { name: 'Note' });
    await note.fill('first');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Help');
    const release = await holdBack(page, 'PATCH');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Save' }).click();
    await sent;
    await note.press('End');
    await note.pressSequentially(' and second');
    await release();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Help' }).waitFor();
    expect(await note.inputValue()).toBe('first and second');
    expect(await page.getByRole('alert').filter({ hasText: 'Somebody else' }).count()).toBe(0);
    expect(await call('GET', `/call-queues/${queue}`)).toMatchObject({ name: 'Help', description: 'first' });

    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Menus' }).click();
    await asked(page).getByRole('button', { name: 'Stay here' }).click();
    await asked(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await call('GET', `/call-queues/${queue}`)).description)
      .toBe('first and second');
  });

  test('a record that is being created accepts no input: the form shows what is stored', async () => {
    const page = await open('/queues/new');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Sales');
    const release = await holdBack(page, 'POST');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Create' }).click();
    await sent;
    await name.pressSequentially(' and more');
    expect(await name.inputValue()).toBe('Sales');
    await release();
    await page.getByRole('heading', { name: 'Sales' }).waitFor();
  });
});
