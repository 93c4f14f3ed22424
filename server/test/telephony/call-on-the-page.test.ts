import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browserAvailable, launchBrowser, watchPage } from '../real/browser.ts';
import { soon } from '../real/soon.ts';
import { PASSWORD, telephonyAvailable } from './exchange.ts';
import { talk, useExchange } from './use-exchange.ts';

const TALK_MS = 5000;

describe.skipIf(!telephonyAvailable() || !browserAvailable())('a call on the page', () => {
  const held = useExchange(['201', '202'].map((number) => ({ number, sip_enableRecording: true })));

  async function openCalls(complaints: string[]): Promise<Page> {
    const browser = await launchBrowser();
    held.defer(() => browser.close());
    const page = await browser.newPage({ locale: 'en' });
    watchPage(
      page,
      () => held.exchange.origin,
      (complaint) => complaints.push(complaint),
    );
    await page.request.post(`${held.exchange.origin}/pbxcore/api/v3/auth:login`, {
      data: { login: 'admin', password: PASSWORD },
    });
    await page.addInitScript("localStorage.setItem('pbxcore.signed-in', 'yes')");
    await page.goto(`${held.exchange.origin}/calls`);
    return page;
  }

  test('is shown while it rings and while it is answered, then disappears; its record is found, its recording plays and seeks', async () => {
    const [caller, callee] = [await held.phone('201'), await held.phone('202')];
    const complaints: string[] = [];
    const page = await openCalls(complaints);
    const nobody = page.getByText('Nobody is on the phone.');
    await nobody.waitFor();

    await caller.dial('202');
    await callee.next('CALL_INCOMING');
    const live = page.getByRole('table', { name: 'Calls now' }).getByRole('row');
    const call = live.filter({ hasText: '201' }).filter({ hasText: '202' });
    await call.getByText('Ringing').waitFor();
    await callee.answer();
    await call.getByText('Talking').waitFor();
    await talk(TALK_MS);
    await caller.hangUp();
    await nobody.waitFor();
    // The search is not repeated when the recording arrives, so the record must be complete before.
    await soon(async () =>
      expect((await held.exchange.callsOf('201'))[0]?.records[0]?.recordingfile).toMatch(/\.wav$/),
    );

    const field = page.getByRole('searchbox', { name: 'Search calls' });
    await field.fill('from:201 to:202 disposition:answered');
    await field.press('Enter');
    await page.getByText('1 entry').waitFor();
    const ranges: string[] = [];
    page.on('response', (response) => {
      if (!response.url().includes('cdr:playback')) return;
      ranges.push(`${response.request().headers().range} ${response.status()}`);
    });
    await page.getByRole('button', { name: 'How the call from 201 to 202 went' }).click();
    const place = () => page.evaluate<number>("document.querySelector('audio').currentTime");
    const placed = () => expect.poll(place, { timeout: 30_000 });
    await page.getByRole('button', { name: 'Play' }).click();
    await placed().toBeGreaterThan(0);
    // Not with its button, which is gone if a busy machine gets here only after the end.
    await page.evaluate("document.querySelector('audio').pause()");
    await page.getByLabel('Position in the recording').fill('3');
    await placed().toBe(3);
    await page.getByRole('button', { name: 'Play' }).click();
    await placed().toBeGreaterThan(3);
    expect(ranges.length).toBeGreaterThan(0);
    for (const range of ranges) expect(range).toMatch(/^bytes=\d+-\d* 206$/);
    expect(complaints).toEqual([]);
  });
});
