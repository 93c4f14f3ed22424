import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFailed, onTestFinished, test } from 'vitest';
import { type FirewallBouncer, missingProgram, startFirewallBouncer } from '../real/bouncer.ts';
import { browserAvailable, CHROMIUM, launchBrowser } from '../real/browser.ts';
import { createNetPair, findNamespaces, type NetPair } from '../real/netns.ts';
import { findRedis } from '../real/redis.ts';
import { realPart } from '../real/require-real.ts';
import { PASSWORD, SERVICE_PORT, startServiceProcess } from '../real/service-process.ts';

// The administrator's browser and the callers are on one machine, the service and the stock bouncer on another.
const SERVER = '192.0.2.1';
const ADMIN = '192.0.2.100';
const CALLER = '192.0.2.2';
const ORIGIN = `http://${SERVER}:${SERVICE_PORT}`;

const programs = ['crowdsec-firewall-bouncer', 'nft', 'redis-cli'];
const missing = missingProgram(...programs);
const available =
  realPart(missing ?? programs.join(', '), !missing) &&
  browserAvailable() &&
  realPart('Redis', findRedis()) &&
  realPart('the right to make network namespaces', findNamespaces());

describe.skipIf(!available)('the page and the stock firewall bouncer', () => {
  let pair: NetPair;
  let browser: Browser;

  beforeAll(async () => {
    pair = await createNetPair(
      [`${SERVER}/24`],
      [ADMIN, CALLER].map((ip) => `${ip}/24`),
    );
    await startServiceProcess(pair);
    const inside = join(pair.folder, 'chromium');
    await writeFile(inside, `#!/bin/sh\nexec ${pair.client.enter.join(' ')} ${CHROMIUM} "$@"\n`);
    await chmod(inside, 0o755);
    // Processes that enter the namespace are root there.
    browser = await launchBrowser(inside, true);
  });
  afterAll(async () => {
    await browser?.close();
    await pair?.close();
  });

  const connect = (withinMs: number) =>
    pair.client.connect({ host: SERVER, port: SERVICE_PORT, from: CALLER, withinMs });
  const expectEntry = (bouncer: FirewallBouncer, present: boolean) =>
    expect
      .poll(async () => (await bouncer.entries()).has(CALLER), { timeout: 45_000, interval: 50 })
      .toBe(present);
  async function expectDropped(bouncer: FirewallBouncer): Promise<void> {
    await expectEntry(bouncer, true);
    expect(await connect(400)).toBe('timeout');
  }
  async function expectPassing(bouncer: FirewallBouncer): Promise<void> {
    await expectEntry(bouncer, false);
    expect(await connect(10_000)).toBe('open');
  }

  /** Creates a key on the page; resolves to the config that the administrator downloads. */
  async function makeKey(page: Page): Promise<string> {
    await page.goto(`${ORIGIN}/bouncers`);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Connect a bouncer' }).first().click();
    await page.getByLabel('Name').fill('edge');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download crowdsec-firewall-bouncer.yaml' }).click();
    return readFile(await (await download).path(), 'utf8');
  }

  test('a key made in the page turns its card green with the first poll; bans and lifts in the page take effect; the card shows a revoked key', async () => {
    const page = await browser.newPage({ locale: 'en' });
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    onTestFailed(async () => console.error(await page.locator('body').innerText()));

    const config = await makeKey(page);
    await page.getByText('Waiting for the first request').waitFor();
    const bouncer = await startFirewallBouncer({ pair, mode: 'nftables', config });
    onTestFinished(async () => void (await bouncer.stop()));
    await page.getByText(`First request seen from ${SERVER}`).waitFor();
    await page.getByRole('link', { name: 'Bouncers' }).click();
    const card = page.getByRole('article', { name: 'edge' });
    await card.getByText('Up to date').waitFor();

    expect(await connect(10_000)).toBe('open');
    await page.getByRole('link', { name: 'Bans' }).click();
    await page.getByRole('button', { name: 'Ban an address' }).first().click();
    await page.getByRole('textbox', { name: 'Address or range' }).fill(CALLER);
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    await expectDropped(bouncer);
    const lift = page.getByRole('button', { name: `Lift the ban of ${CALLER}` });
    await lift.click();
    // Undone at once: the offer lasts ten seconds, and a poll on a busy machine may take longer.
    await page.getByText(`The ban of ${CALLER} is lifted`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('Undone').waitFor();
    await expectDropped(bouncer);
    await lift.click();
    await expectPassing(bouncer);

    const from = bouncer.process.lines.length;
    await page.getByRole('link', { name: 'Bouncers' }).click();
    await card.getByRole('button', { name: 'Revoke edge' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('edge');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await card.getByText('Revoked', { exact: true }).waitFor();
    await bouncer.process.said(/API error: a valid API key or token is required/, { from });
    expect(errors).toEqual([]);
  });
});
