import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startPhone } from '../real/baresip.ts';
import { browserAvailable, launchBrowser } from '../real/browser.ts';
import { BUNDLE_DIR } from '../real/engine-bundle.ts';
import { createLoopbackNet } from '../real/loopback.ts';
import { startService } from '../real/pbxcore-process.ts';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';

const OWN_PASSWORD = 'of-my-own-choice';

/** The text that the screen shows beside a name. */
const shown = (page: Page, name: string) =>
  page
    .getByRole('row', { name: new RegExp(`^${name}`) })
    .locator('td')
    .innerText();

describe.skipIf(!telephonyAvailable() || !browserAvailable())('the first start', () => {
  test('a phone registers with the data on the screen after login with the printed password, and the screen shows it', async () => {
    await using cleanUps = new AsyncDisposableStack();
    const net = createLoopbackNet();
    const dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-first-start-'));
    cleanUps.defer(() => rm(dataDir, { recursive: true, force: true }));
    const service = await startService({
      PBXCORE_DATA_DIR: dataDir,
      PBXCORE_ENGINE: 'asterisk',
      PBXCORE_ASTERISK_BUNDLE_DIR: BUNDLE_DIR,
      PBXCORE_ASTERISK_FETCH: 'no',
      PBXCORE_SIP_HOST: net.next(),
    });
    cleanUps.defer(async () => void (await service.end('SIGTERM')));
    const password = await soon(async () => {
      const found = /password \(shown only now\): (\S+)/.exec(service.output())?.[1];
      if (!found) throw new Error('no password was printed');
      return found;
    });
    const browser = await launchBrowser();
    cleanUps.defer(() => browser.close());
    const page = await browser.newPage({ locale: 'en' });
    await page.goto(service.origin);

    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Current password', { exact: true }).fill(password);
    await page.getByLabel('New password', { exact: true }).fill(OWN_PASSWORD);
    await page.getByLabel('New password again', { exact: true }).fill(OWN_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Anna Ahorn');
    await page.getByRole('button', { name: 'Create employee' }).click();
    await page.getByText('Waiting for a phone to register').waitFor();

    const number = await shown(page, 'User name');
    const phone = await soon(async () => {
      const started = await startPhone({
        number,
        secret: await shown(page, 'Password'),
        address: net.next(),
        server: `${await shown(page, 'Server')}:${await shown(page, 'Port')}`,
        transport: (await shown(page, 'Transport')).toLowerCase() as 'udp',
      });
      if (started.events.at(-1)?.type === 'REGISTER_OK') return started;
      // The engine may still be starting.
      await started.leave();
      throw new Error('the phone could not register');
    });
    cleanUps.defer(() => phone.leave());
    await page.getByText('The phone is registered').waitFor();
    expect(await page.getByRole('status').last().innerText()).toContain('baresip');
  });
});
