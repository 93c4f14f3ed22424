import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import type { App } from '../../server/src/app.ts';
import { createFakeEngine } from '../../server/src/engine/fake-engine.ts';
import { ADMIN_PASSWORD, openEmbedded, type Stores } from '../../server/test/make-app.ts';
import { browserAvailable, launchBrowser, watchPage } from '../../server/test/real/browser.ts';
import { startRunningApp } from '../../server/test/running-app.ts';

/** Pictures to be looked at; git ignores them. */
const SCREENSHOTS = join(import.meta.dirname, '../screenshots');

export const describePage = describe.skipIf(!browserAvailable());

const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 844 };

export interface OpenOptions {
  readonly viewport?: { width: number; height: number };
  readonly scheme?: 'light' | 'dark';
  readonly language?: 'en' | 'de' | 'ru';
  /** Statuses that the test provokes: the browser itself reports them as errors. */
  readonly provoked?: readonly number[];
  readonly signedIn?: boolean;
}

/** A browser and the service for the surrounding `describe`. Every test ends without console error and foreign request. */
export function usePage(settings: Readonly<Record<string, string>> = {}, openStores = openEmbedded) {
  let stores: Stores;
  let app: App;
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  let complaints: string[] = [];
  let token = '';
  const engine = createFakeEngine();
  const origin = () => `http://127.0.0.1:${app.httpPort}`;
  const start = (port = '0') =>
    startRunningApp({ PBXCORE_HTTP_PORT: port, ...stores.settings, ...settings }, engine);

  beforeAll(async () => {
    stores = await openStores();
    app = await start();
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const context of contexts) {
      // An answer that a test was about to change when it ended is nobody's any more.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    }
    contexts = [];
    const heard = complaints;
    complaints = [];
    expect(heard).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await stores?.stop();
  });

  const listen = (page: Page, provoked: readonly number[]): void =>
    watchPage(page, origin, (complaint) => complaints.push(complaint), provoked);

  async function call(method: string, path: string, body?: unknown) {
    token ||= await login();
    const response = await fetch(`${origin()}/pbxcore/api/v3${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
    const answer = (await response.json()) as any;
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer.messages)}`);
    return answer.data;
  }

  async function login(): Promise<string> {
    const response = await fetch(`${origin()}/pbxcore/api/v3/auth:login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ login: 'admin', password: ADMIN_PASSWORD }),
    });
    return ((await response.json()) as { data: { accessToken: string } }).data.accessToken;
  }

  return {
    engine,
    origin,
    /** The interface itself, as the administrator; answers with `data`. */
    call,
    get stores() {
      return stores;
    },
    /** What the first start prints, where the settings name no password. */
    generatedPassword: () => app.generatedPassword ?? '',
    /** Stops the service, lets the test look at a page without one, and starts it again on the same port. */
    async restart(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
      const port = String(app.httpPort);
      await app.close();
      await meanwhile();
      app = await start(port);
      token = '';
    },
    /** A window of its own, signed in unless the test says otherwise, at an address of the page. */
    async open(path: string, options: OpenOptions = {}): Promise<Page> {
      const { viewport = WIDE, scheme = 'light', language = 'en', provoked = [], signedIn = true } = options;
      const context = await browser.newContext({
        viewport,
        colorScheme: scheme,
        locale: language,
        // Motion takes time of the processors, and moves what a test is about to click.
        reducedMotion: 'reduce',
      });
      contexts.push(context);
      const page = await context.newPage();
      listen(page, provoked);
      if (signedIn) await signIn(page, origin());
      await page.goto(origin() + path);
      return page;
    },
    /** A second window of the same browser profile. */
    async openBeside(page: Page, path: string, provoked: readonly number[] = []): Promise<Page> {
      const other = await page.context().newPage();
      listen(other, provoked);
      await other.goto(origin() + path);
      return other;
    },
  };
}

/** By the interface, with the cookie in the browser: faster than the form, which has a test of its own. */
async function signIn(page: Page, origin: string): Promise<void> {
  await page.request.post(`${origin}/pbxcore/api/v3/auth:login`, {
    data: { login: 'admin', password: ADMIN_PASSWORD },
  });
  await page.addInitScript("localStorage.setItem('pbxcore.signed-in', 'yes')");
}

/**
 * A picture of the whole screen, to be looked at. For that the browser makes its window longer, and for a moment it may be
 * a narrow one: where something is open that would not outlive it, only what is in the window is taken.
 */
export async function picture(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  // Where nobody looks at them they are not worth their time.
  if (process.env.CI) return;
  await mkdir(SCREENSHOTS, { recursive: true });
  // The head of the page stays in sight, and would stand in the middle of the picture.
  if (fullPage) await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage });
}

type Violation = { id: string; impact: string; nodes: { html: string }[] };
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Two pictures in a row without anything that fades or moves; what never ends, as a sign of waiting, does not count. */
const STILL = `(async () => {
  const moving = () =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime !== Infinity);
  for (let still = 0; still < 2; still++) {
    await new Promise(requestAnimationFrame);
    if (moving().length > 0) still = -1;
    await Promise.all(moving().map(({ finished }) => finished.catch(() => {})));
  }
})()`;

/** What stands in the way of people who hear the page or use only the keyboard; nothing serious may be found. */
export async function expectAccessible(page: Page): Promise<void> {
  // By the test's own channel, which the content policy does not hold.
  await page.evaluate(await readFile(AXE, 'utf8'));
  // What fades in or out is paler than it is: looked at in the very moment in which nothing moves.
  const violations = await page.evaluate<Violation[]>(
    `${STILL}.then(() => axe.run(document, { resultTypes: ['violations'] })).then(({ violations }) => violations)`,
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const found = serious.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  );
  expect(found).toEqual([]);
}
