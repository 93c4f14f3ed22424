import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openList } from './choose.ts';
import { describePage, expectAccessible, picture, usePage } from './page-rig.ts';

describePage('part of a number followed by Enter', () => {
  const { open, call } = usePage();

  beforeAll(async () => {
    // More than a list shows before typing, and without the digits typed later.
    const employees = Array.from({ length: 38 }, (_, at) => ({
      number: String(161 + at),
      user_username: `Agent ${161 + at}`,
      sip_secret: `only-for-this-${at}`,
    }));
    for (const some of [employees.slice(0, 20), employees.slice(20)])
      await call('POST', '/employees:batchCreate', { employees: some });
    for (const [number, user_username] of [
      ['201', 'Anna'],
      ['4711', 'Simon'],
    ])
      await call('POST', '/employees', { number, user_username, sip_secret: `only-for-this-${number}` });
    await call('POST', '/call-queues', { name: 'Support', extension: '600' });
  });

  /** The options in the order shown, once the service has answered. */
  async function typed(page: Page, name: string, text: string, awaited: string): Promise<string[]> {
    const field = page.getByRole('combobox', { name });
    await field.click();
    await field.fill(text);
    await page.getByRole('option', { name: awaited, exact: true }).waitFor();
    return page.getByRole('option').allInnerTexts();
  }
  const chosen = (page: Page, name: string) => page.getByRole('combobox', { name }).inputValue();

  test.each([
    ['/incoming-routes/new', 'Target'],
    ['/employees/new', 'When nobody answers'],
  ])('chooses somebody here, even if the answer comes late: %s', async (screen, name) => {
    const page = await open(screen);
    const options = await typed(page, name, '20', 'Anna <201>');
    expect(options.indexOf('20')).toBeGreaterThan(options.indexOf('Anna <201>'));
    expect(options[0]).toBe('Anna <201>');
    await page.keyboard.press('Enter');
    expect(await chosen(page, name)).toBe('Anna <201>');
    // A number that nobody here has is an outside number.
    await typed(page, name, '+49301234567', '+49301234567');
    await page.keyboard.press('Enter');
    expect(await chosen(page, name)).toBe('+49301234567');
  });

  test('chooses a queue by the beginning of its number', async () => {
    const page = await open('/incoming-routes/new');
    await typed(page, 'Target', '60', 'Support <600>');
    await page.keyboard.press('Enter');
    expect(await chosen(page, 'Target')).toBe('Support <600>');
  });

  test('chooses by name alone, even if the service also finds employees by their kind of number', async () => {
    const page = await open('/incoming-routes/new');
    expect(await typed(page, 'Target', 'si', 'Simon <4711>')).toEqual(['Simon <4711>']);
    await page.keyboard.press('Enter');
    expect(await chosen(page, 'Target')).toBe('Simon <4711>');
  });

  test('offers the other kinds in a long list too, and says that there are more', async () => {
    const page = await open('/incoming-routes/new');
    const field = page.getByRole('combobox', { name: 'Target' });
    const more = page.getByRole('option', { name: 'There are more: type a name or a number' });
    await openList(field, 'Support <600>');
    expect(await page.getByRole('option', { name: /^Agent/ }).count()).toBe(30);
    expect(await page.getByRole('option').last().innerText()).toBe(await more.innerText());
    expect(await more.isDisabled()).toBe(true);
    await expectAccessible(page);
    await more.scrollIntoViewIfNeeded();
    await picture(page, 'targets-more', { fullPage: false });
    await field.fill('Agent 19');
    await more.waitFor({ state: 'detached' });
    await page.getByRole('option', { name: 'Agent 198 <198>' }).waitFor();
  });
});
