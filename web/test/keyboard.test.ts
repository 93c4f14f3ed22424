import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { choose } from './choose.ts';
import { describePage, usePage } from './page-rig.ts';

describePage('use without a mouse', () => {
  const { open, call } = usePage();

  beforeAll(async () => {
    for (const [number, user_username] of [
      ['201', 'Anna'],
      ['202', 'Boris'],
      ['203', 'Cora'],
    ])
      await call('POST', '/employees', { number, user_username, sip_secret: `only-for-this-${number}` });
    for (const number of ['4930111', '4930112', '4930113'])
      await call('POST', '/incoming-routes', { rulename: `Line ${number}`, number, extension: '201' });
  });

  const focused = (page: Page) =>
    page.evaluate<string>(
      "((own) => own.getAttribute('aria-label') ?? own.labels?.[0]?.textContent ?? own.textContent)(document.activeElement)",
    );
  const expectFocus = (page: Page, name: string | RegExp) =>
    eventually(async () => expect(await focused(page)).toMatch(name));

  test('an item of a list moves down step by step, announces its place, and keeps the focus', async () => {
    const page = await open('/incoming-routes');
    await page.getByRole('button', { name: /^Move Line 4930111, place 1/ }).focus();
    await page.keyboard.press('ArrowDown');
    await expectFocus(page, /^Move Line 4930111, place 2/);
    await page.keyboard.press('ArrowDown');
    await expectFocus(page, /^Move Line 4930111, place 3/);
    await page.getByText('Line 4930111 is now at place 3 of 3').waitFor();
    await page.keyboard.press('ArrowUp');
    await expectFocus(page, /^Move Line 4930111, place 2/);
    await eventually(async () => {
      const routes = (await call('GET', '/incoming-routes')) as { number: string }[];
      expect(routes.map(({ number }) => number)).toEqual(['4930112', '4930111', '4930113']);
    });
  });

  test('an item keeps its new place while an earlier order is still being stored and read', async () => {
    const page = await open('/incoming-routes');
    const held = new Map<string, () => void>();
    /** Holds a request until the test releases it. */
    async function hold(name: string, address: RegExp) {
      await page.route(address, async (route) => {
        await new Promise<void>((resolve) => held.set(name, resolve));
        held.delete(name);
        await route.continue();
      });
    }
    const release = (name: string) =>
      eventually(() => {
        expect([...held.keys()]).toContain(name);
        held.get(name)?.();
      });
    const line = page.getByRole('button', { name: /^Move Line 4930113, place 3/ });
    await line.waitFor();
    await hold('store', /incoming-routes:changePriority/);
    await hold('read', /\/incoming-routes(\?|$)/);

    await line.press('ArrowUp');
    await release('store');
    await expectFocus(page, /^Move Line 4930113, place 2/);
    await eventually(() => expect([...held.keys()]).toEqual(['read']));
    await page.keyboard.press('ArrowUp');
    await eventually(() => expect([...held.keys()]).toEqual(['read', 'store']));
    const [first] = (await call('GET', '/incoming-routes')) as { id: string }[];
    await call('PATCH', `/incoming-routes/${first?.id}`, { rulename: 'Read now' });
    await release('read');
    await page.getByText('Read now').waitFor();
    expect(await focused(page)).toMatch(/^Move Line 4930113, place 1/);
    await release('store');
    await release('read');
    await eventually(async () => {
      const routes = (await call('GET', '/incoming-routes')) as { number: string }[];
      expect(routes[0]?.number).toBe('4930113');
    });
    await expectFocus(page, /^Move Line 4930113, place 1/);
  });

  test('focus stays nearby after adding or removing, and goes to the top of the new screen after saving', async () => {
    const page = await open('/queues/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Support');
    const adder = page.getByRole('combobox', { name: 'Add a member' });
    for (const name of ['Anna <201>', 'Boris <202>', 'Cora <203>']) {
      await choose(adder, name);
      await expectFocus(page, 'Add a member');
    }
    await page.getByRole('button', { name: 'Remove Boris <202>' }).press('Enter');
    await expectFocus(page, 'Remove Cora <203>');
    await page.keyboard.press('Enter');
    await expectFocus(page, 'Remove Anna <201>');
    await page.keyboard.press('Enter');
    await expectFocus(page, 'Add a member');
    await page.getByRole('button', { name: 'Create' }).press('Enter');
    await page.getByRole('heading', { name: 'Support' }).waitFor();
    await expectFocus(page, 'Support');

    await page.getByRole('navigation').getByRole('link', { name: 'Menus' }).press('Enter');
    await page.getByRole('link', { name: 'New menu' }).first().press('Enter');
    await page.getByRole('button', { name: 'Add a key' }).press('Enter');
    await expectFocus(page, 'Key of row 1');
    await page.getByRole('button', { name: 'Remove key 1' }).press('Enter');
    await expectFocus(page, 'Add a key');
  });

  test('a closed dialog returns the focus to the element that opened it', async () => {
    await call('POST', '/ivr-menu', {
      id: 'IVR-MAIN',
      name: 'Main',
      extension: '700',
      timeout_extension: '201',
    });
    await call('POST', '/ivr-menu', { name: 'Other', extension: '701', timeout_extension: '700' });
    const page = await open('/menus/IVR-MAIN', { provoked: [409] });
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').getByRole('link', { name: 'Menu Other' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFocus(page, 'Delete');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFocus(page, 'Delete');
  });
});
