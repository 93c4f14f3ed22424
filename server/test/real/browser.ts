import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { realPart } from './require-real.ts';

/** Chromium without windows: the same engine at half the cost. */
export const CHROMIUM = '/usr/bin/chromium-headless-shell';
const BUILT = existsSync(join(import.meta.dirname, '../../../web/dist/index.html'));

export const chromiumAvailable = (): boolean => realPart('chromium-headless-shell', existsSync(CHROMIUM));
export const browserAvailable = (): boolean =>
  chromiumAvailable() && realPart('the built page (npm run page)', BUILT);

/** Debian's Chromium, which contacts no outside server. */
export const launchBrowser = (
  executablePath = CHROMIUM,
  // The browser's own sandbox does not work for root.
  isRoot = process.getuid?.() === 0,
): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });

/**
 * Reports every request to another host and every error, including content policy violations. `provoked` lists the
 * statuses that the test causes on purpose, which the browser itself reports as errors.
 */
export function watchPage(
  page: Page,
  origin: () => string,
  complain: (complaint: string) => void,
  provoked: readonly number[] = [],
): void {
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin() && !['data:', 'blob:'].includes(url.protocol)) complain(url.href);
  });
  page.on('pageerror', (error) => complain(String(error)));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const text = message.text();
    if (provoked.some((status) => text.includes(`status of ${status}`))) return;
    // The test has stopped the service on purpose.
    if (provoked.includes(0) && text.includes('net::ERR_')) return;
    complain(`${text} ${message.location().url}`);
  });
}
