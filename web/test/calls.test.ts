import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { insertLegs, leg } from '../../server/test/acceptance/cdr-rig.ts';
import { ago, writeTone } from './calls-rig.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '\u202eevil\u202c {{interpolation}} $t(cdr.title) "quotes\'',
  'x'.repeat(10_000),
];
const BUSY_CALLS = 60;
/** On a busy machine, playing and seeking are delayed. */
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 30_000 });

describePage('the history of calls', () => {
  const held = usePage();
  const { open, call } = held;
  const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

  beforeAll(async () => {
    await writeTone(held.stores, 'long.wav', 60);
    await writeTone(held.stores, 'short.wav', 5);
    await call('POST', '/sip-providers', {
      description: 'City line',
      host: 'sip.example.org',
      username: 'u',
    });
    const [provider] = await call('GET', '/providers:getForSelect?includeDisabled=true');
    await insertLegs(
      held.stores,
      ...Array.from({ length: BUSY_CALLS }, (_, i) =>
        leg({ start: ago(90_000 + i * 60), src_num: '301', dst_num: '302', disposition: 'BUSY', billsec: 0 }),
      ),
      ...HOSTILE.map((src_name, i) => leg({ start: ago(7200 + i), src_num: `66${i}`, src_name })),
    );
    const moved = { linkedid: 'moved.1', from_account: provider.value };
    await insertLegs(
      held.stores,
      leg({
        ...moved,
        start: ago(600),
        answer: ago(590),
        endtime: ago(530),
        src_num: '+4930555',
        src_name: 'Ms Caller',
        dst_num: '201',
        duration: 70,
        billsec: 60,
        recordingfile: 'long.wav',
      }),
      leg({
        ...moved,
        start: ago(530),
        answer: ago(525),
        endtime: ago(405),
        src_num: '+4930555',
        dst_num: '203',
        duration: 125,
        billsec: 120,
        transfer: 1,
        recordingfile: 'short.wav',
      }),
    );
  });

  test('typed filters find a call, invalid filters are reported, and the address restores everything', async () => {
    // The page may search again once it has the providers' names, while the first search is still running.
    const page = await open('/calls', { provoked: [429] });
    const field = page.getByRole('searchbox', { name: 'Search calls' });
    await field.fill('from:+4930 provider:city longer:60 frm:201');
    await field.press('Enter');
    await page.getByText('“frm:201” is not a filter').waitFor();
    await page.getByText('1 entry').waitFor();
    await row(page, '+4930555').getByRole('button').click();
    await page.getByRole('list', { name: 'How the call went' }).waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Provider' }).check();
    await page.keyboard.press('Escape');
    await page.reload();
    const legs = page.getByRole('list', { name: 'How the call went' });
    await legs.waitFor();
    expect(await field.inputValue()).toBe('from:+4930 provider:city longer:60 frm:201');
    await page.getByRole('cell', { name: 'City line' }).waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toBe('moved.1');
    await page.goBack();
    await legs.waitFor({ state: 'hidden' });
  });

  test('a transferred call is a time line, and its recordings play one at a time and seek by range', async () => {
    const statuses: number[] = [];
    const page = await open('/calls?q=from%3A%2B4930555&open=moved.1');
    page.on('response', (response) => {
      if (response.url().includes('cdr:playback')) statuses.push(response.status());
    });
    const legs = page.getByRole('list', { name: 'How the call went' }).getByRole('listitem');
    await legs.nth(1).waitFor();
    expect(await legs.nth(0).innerText()).toContain('rang for 0:10 · talked for 1:00');
    expect(await legs.nth(1).innerText()).toContain('transferred · rang for 0:05 · talked for 2:00');
    await legs.nth(0).getByText('0:00 / 1:00').waitFor();
    const played = (index: number) =>
      page.evaluate<{ at: number; paused: boolean; rate: number }>(
        `(({ currentTime, paused, playbackRate }) => ({ at: currentTime, paused, rate: playbackRate }))(document.querySelectorAll('audio')[${index}])`,
      );
    await legs.nth(0).getByRole('button', { name: 'Play' }).click();
    await legs.nth(0).getByRole('button', { name: 'Pause' }).waitFor();
    await legs.nth(0).getByRole('button', { name: '+10 s' }).click();
    await legs.nth(0).getByRole('button', { name: '+10 s' }).click();
    await eventually(async () => (await played(0)).at).toBeGreaterThan(20);
    await legs.nth(0).getByLabel('Position in the recording').fill('50');
    await eventually(async () => (await played(0)).at).toBeGreaterThanOrEqual(50);
    await legs.nth(0).getByRole('button', { name: '−10 s' }).click();
    await eventually(async () => (await played(0)).at).toBeLessThan(50);
    await legs.nth(0).getByLabel('Speed').selectOption('2');
    expect((await played(0)).rate).toBe(2);
    await legs.nth(1).getByRole('button', { name: 'Play' }).click();
    await eventually(async () => (await played(0)).paused).toBe(true);
    expect(new Set(statuses)).toEqual(new Set([206]));
    const waiting = page.waitForEvent('download');
    await legs.nth(1).getByRole('link', { name: 'Download' }).click();
    expect((await waiting).suggestedFilename()).toMatch(/^call_4930555_to_203_.*\.wav$/);
    await expectAccessible(page);
    await picture(page, 'calls-time-line', { fullPage: false });
  });

  test('a recording with an expired address continues with a new one at the same place', async () => {
    const page = await open('/calls?q=from%3A%2B4930555&open=moved.1', { provoked: [401] });
    let refusals = 0;
    await page.route(/cdr:playback/, (route) =>
      refusals-- > 0 ? route.fulfill({ status: 401, json: {} }) : route.continue(),
    );
    const leg = page.getByRole('list', { name: 'How the call went' }).getByRole('listitem').first();
    await leg.getByText('0:00 / 1:00').waitFor();
    await leg.getByRole('button', { name: 'Play' }).click();
    await leg.getByLabel('Position in the recording').fill('20');
    const at = () => page.evaluate<number>("document.querySelector('audio').currentTime");
    await eventually(at).toBeGreaterThan(20);
    refusals = 1;
    await page.evaluate(
      "(() => { const own = document.querySelector('audio'); const at = own.currentTime; own.load(); own.currentTime = at; })()",
    );
    await eventually(at).toBeGreaterThan(22);
    expect(refusals).toBeLessThan(1);
    expect(await at()).toBeLessThan(40);
  });

  test('a menu and a queue in a call are shown as such, with the entries', async () => {
    const times = { start: ago(300), endtime: ago(290), duration: 10, billsec: 0, disposition: 'NO ANSWER' };
    const met = { ...times, linkedid: 'menu.1', src_num: '+4930777', is_app: '1' };
    await insertLegs(
      held.stores,
      leg({
        ...met,
        appname: 'ivr',
        dst_num: '700',
        dst_name: 'Main',
        dtmf_digits: '9,i,t,1',
        dialstatus: 'CONTINUE',
      }),
      leg({ ...met, appname: 'queue', dst_num: '600', dst_name: 'Support', dialstatus: 'ABANDON' }),
      leg({ ...met, is_app: '0', appname: 'queue', dst_num: '201', dst_name: 'Ann' }),
    );
    const page = await open('/calls?q=from%3A%2B4930777&open=menu.1');
    const legs = page.getByRole('list', { name: 'How the call went' }).getByRole('listitem');
    await legs.nth(2).waitFor();
    const text = async (index: number) => (await legs.nth(index).innerText()).replace(/\s+/g, ' ');
    expect(await text(0)).toContain('Menu 700 Main Went on took 0:10 · entered 9, (wrong), nothing, 1');
    expect(await text(1)).toContain('Queue 600 Support Gave up waiting waited for 0:10');
    expect(await text(2)).toContain('→ 201 Ann Not answered rang for 0:10');
    await expectAccessible(page);
  });

  test('an export has every call of the filter, not only the visible rows', async () => {
    const page = await open('/calls?q=disposition%3Abusy');
    await page.getByText(`${BUSY_CALLS} entries`).waitFor();
    expect(await page.getByRole('row').count()).toBe(51);
    for (const format of ['CSV', 'NDJSON']) {
      await page.getByRole('button', { name: `Export all ${BUSY_CALLS} calls` }).click();
      const waiting = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: format }).click();
      const lines = (await readFile((await (await waiting).path()) ?? '', 'utf8')).trim().split('\n');
      expect(lines.length).toBe(format === 'CSV' ? BUSY_CALLS + 1 : BUSY_CALLS);
      await page.getByText('The export is complete.').first().waitFor();
    }
    await page.getByRole('button', { name: 'Page 2' }).click();
    await eventually(() => page.getByRole('row').count()).toBe(11);
    expect(new URL(page.url()).searchParams.get('page')).toBe('2');
  });

  test('the chart counts every call of the days, and its legend sets the filter', async () => {
    const page = await open('/calls');
    await page.getByRole('button', { name: `Busy ${BUSY_CALLS}` }).click();
    await page.getByText(`${BUSY_CALLS} entries`).waitFor();
    await page.getByRole('figure').locator('canvas').waitFor();
    await expectAccessible(page);
    await picture(page, 'calls-wide');
    await page.getByText('Yesterday').click();
    await page.getByText('All calls by hour').waitFor();
    await page.getByText('From – to').click();
    await page.getByLabel('To, this day included').fill('2020-01-02');
    await page.getByLabel('From', { exact: true }).fill('2020-01-01');
    await page.getByText('No call was found.').waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.getByRole('button', { name: '30 days' }).click();
    await page.getByText(/^6\d entries$/).waitFor();
  });

  test.each(['de', 'ru'] as const)('it speaks %s', async (language) => {
    const page = await open('/calls?q=from%3A%2B4930&open=moved.1', { language });
    await page.getByRole('listitem').nth(1).waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/cdr\.|ui\./);
    await picture(page, `calls-${language}`, { fullPage: false });
  });

  test('texts of strangers are plain text, also in a narrow dark window', async () => {
    const page = await open('/calls?q=66', { viewport: NARROW, scheme: 'dark', provoked: [404] });
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    await page.getByText('{{interpolation}} $t(cdr.title)').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(NARROW.width);
    await expectAccessible(page);
    await picture(page, 'calls-narrow-dark');
    await page.goto(`${held.origin()}/calls?range=nonsense&page=-1&sort=x&open=%3Cb%3E&from=y`);
    await page.getByText('This call is no longer there.').waitFor();
    await page.goto(`${held.origin()}/calls?q=from%3A%2B4930555&open=moved.1`);
    await page.getByRole('button', { name: 'Delete call' }).scrollIntoViewIfNeeded();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(NARROW.width);
    await expectAccessible(page);
    await picture(page, 'calls-narrow-time-line', { fullPage: false });
  });

  test('deletion asks for confirmation, and for a typed word if it includes a recording', async () => {
    const page = await open('/calls?q=call%3Amoved.1&open=moved.1');
    await page.getByRole('button', { name: 'Delete call' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this call?' });
    const button = dialog.getByRole('button', { name: 'Delete call' });
    await dialog.getByLabel('Delete its 2 recordings too').waitFor();
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel('Type delete to confirm').fill('delete');
    await picture(page, 'calls-delete', { fullPage: false });
    await button.click();
    await page.getByText('The call was deleted.').waitFor();
    await page.getByText('No call was found.').waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toBeNull();
  });
});
