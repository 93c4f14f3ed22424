import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD, makeApp, openEmbedded, type Stores, type TestApp } from '../make-app.ts';
import { type ModulesDir, makeModulesDir, manifestOf } from '../module-fixtures.ts';
import { chromiumAvailable, launchBrowser } from '../real/browser.ts';

const WRONG_KEY = 'f'.repeat(64);

const RAW = '/pbxcore/api/v3/module-raw/files';
/** Echoes what it was sent, and reports how often it was sent something. */
const RAW_MODULE = `let taken = 0;
export default { resources: [{ path: '${RAW}', permission: 'files', label: 'Files', channels: ['localhost', 'bearer_token'], actions: [
  { name: 'take', verb: 'POST', body: 'raw', handle: ({ raw, headers }) => ({ taken: ++taken, type: headers['content-type'], hex: Buffer.from(raw).toString('hex') }) },
  { name: 'count', verb: 'GET', handle: () => ({ taken }) },
] }] };`;

let stores: Stores;
let modules: ModulesDir;
let app: TestApp;

beforeAll(async () => {
  stores = await openEmbedded();
  modules = await makeModulesDir();
  await modules.write(manifestOf('Raw'), RAW_MODULE);
  app = await makeApp(stores, modules.settings);
  const enabled = await app.call('POST', '/modules/Raw:enable', { token: await app.admin() });
  expect(enabled.status, enabled.text).toBe(200);
});
afterAll(async () => {
  await app.close();
  await modules.remove();
  await stores.stop();
});

describe('the documentation as served', () => {
  test('the page needs no credential and allows no content from elsewhere', async () => {
    for (const path of ['/docs', '/docs/']) {
      const response = await fetch(app.origin + path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const policy = response.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'self'; script-src 'self'; connect-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('x-frame-options')).toBe('DENY');
      // No inline script, no address of another host.
      expect(await response.text()).not.toMatch(/<script(?![^>]*\bsrc="\/docs\/)|(?:src|href)="https?:/);
    }
  });

  test('the script of the viewer is compressed, and not sent again while unchanged', async () => {
    const url = `${app.origin}/docs/scalar.js`;
    const packed = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(await packed.text());
    const again = await fetch(url, { headers: { 'if-none-match': plain.headers.get('etag') as string } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('the document behind the page needs a credential', async () => {
    expect((await app.call('GET', '/openapi:getSpecification')).status).toBe(401);
  });
});

describe.skipIf(!chromiumAvailable())('in a browser', () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    await page.context().close();
    expect(complaints).toEqual([]);
  });
  afterAll(() => browser.close());

  /** Collects every request to another host and every error, including content policy violations. */
  async function openPage({ refused }: { refused?: 401 | 403 } = {}): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    complaints = [];
    let tolerated = refused ? 1 : 0;
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (origin !== app.origin && !['data:', 'blob:'].includes(protocol)) complaints.push(request.url());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      // The browser itself reports a refusal as an error. Only the one that a test causes is tolerated.
      if (message.text().includes(`status of ${refused}`) && tolerated-- > 0) return;
      complaints.push(message.text());
    });
    await page.goto(`${app.origin}/docs`);
  }

  const typeKey = async (key: string) => {
    await page.getByLabel('API key', { exact: true }).last().fill(key);
    await page.keyboard.press('Enter');
  };
  const everythingStored = () =>
    page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');

  test('a typed key opens the operations, and test requests use it', async () => {
    const { id, key } = await app.createKey({ description: 'reader of the documentation' });
    await openPage();
    await typeKey(key);
    await page.getByText(`with API key ${id}`).waitFor();
    for (const group of ['Firewall', 'Firewall bouncer', 'API Keys', 'Login']) {
      await page.getByRole('button', { name: `Open Group - ${group}`, exact: true }).waitFor();
    }

    await page.getByRole('button', { name: /Test Request.*system:checkAuth/ }).click();
    const answered = page.waitForResponse((response) => response.url().endsWith('/system:checkAuth'));
    await page.getByRole('button', { name: /^Send get request/ }).click();
    const response = await answered;
    expect(response.status()).toBe(200);
    expect((await response.json()).data).toMatchObject({ authType: 'api_key', keyId: id });
    const shown = page.getByRole('dialog');
    await shown.getByText('200 OK').waitFor();
    await shown.getByText('"keyId"').waitFor();

    expect(await everythingStored()).not.toContain(key);
    expect(await page.getByRole('link', { name: /scalar/i }).count()).toBe(0);
  });

  test('an operation of a module with a raw body can be tried, with a file or with text', async () => {
    const { id, key } = await app.createKey({ allowed_paths: { '/api/v3/module-raw/files': 'write' } });
    await openPage();
    await typeKey(key);
    await page.getByText(`with API key ${id}`).waitFor();
    await page.getByRole('button', { name: 'Open Group - Files', exact: true }).click();
    await page.getByRole('link', { name: 'take: Files' }).click();
    await page.getByRole('button', { name: /Test Request.*files:take/ }).click();
    const chosen = page.waitForEvent('filechooser');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /select file/i })
      .click();
    const bytes = Buffer.from([0, 255, 195, 10]);
    await (await chosen).setFiles({ name: 'some.bin', mimeType: 'application/octet-stream', buffer: bytes });
    const send = async () => {
      const answered = page.waitForResponse((response) => response.url().endsWith('/files:take'));
      await page.getByRole('button', { name: /^Send post request/ }).click();
      return (await (await answered).json()).data;
    };
    expect(await send()).toMatchObject({ type: 'application/octet-stream', hex: '00ffc30a' });

    await page
      .getByRole('dialog')
      .getByRole('button', { name: /binary file/i })
      .click();
    await page.getByRole('option', { name: '*/*' }).click();
    await page.getByRole('dialog').locator('.cm-content[contenteditable=true]').last().click();
    await page.keyboard.type('a=b');
    expect(await send()).toMatchObject({ type: '*/*', hex: '613d62' });
  });

  test('a wrong key is refused with the message of the service, and the page asks for another', async () => {
    const { id, key } = await app.createKey();
    await openPage({ refused: 401 });
    await typeKey(WRONG_KEY);
    await page.getByText('Not accepted: a valid API key or token is required (401)').waitFor();
    expect(await page.getByRole('alert').isVisible()).toBe(true);
    // The refused key is selected, so typing replaces it.
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await page.getByText(`with API key ${id}`).waitFor();
  });

  test('a key bound to other addresses is refused with that reason', async () => {
    const filter = await app.call('POST', '/firewall', {
      token: await app.admin(),
      body: { network: '192.0.2.0', subnet: 24, deny: '', description: 'far away' },
    });
    expect(filter.status).toBe(201);
    const { key } = await app.createKey({ networkfilterid: filter.body.data.id });
    await openPage({ refused: 403 });
    await typeKey(key);
    await page.getByText('Not accepted: this API key is not allowed from your address (403)').waitFor();
  });

  test('no page from elsewhere reaches a route for local callers with requests that need no preflight', async () => {
    const form = (type: string) =>
      `<form method="post" enctype="${type}" action="${app.origin}${RAW}:take"><input name="a"><button>Send</button></form>`;
    const elsewhere = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(form(decodeURIComponent(request.url?.slice(1) ?? '')));
    });
    await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening));
    const { port } = elsewhere.address() as AddressInfo;
    const count = async () => (await app.call('GET', '/module-raw/files:count')).body.data.taken;
    try {
      page = await (await browser.newContext()).newPage();
      complaints = [];
      const before = await count();
      // Another port of this machine, and another machine as far as a browser can tell.
      for (const host of ['127.0.0.1', 'localhost'])
        for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']) {
          await page.goto(`http://${host}:${port}/${encodeURIComponent(type)}`);
          const answered = page.waitForResponse((response) => response.url().endsWith('/files:take'));
          await page.getByRole('button', { name: 'Send' }).click();
          expect((await answered).status(), `${host}, ${type}`).toBe(401);
        }
      expect(await count()).toBe(before);
      // A page of the exchange itself is allowed to.
      await page.goto(`${app.origin}/docs`);
      const own = await page.evaluate(
        `fetch('${RAW}:take', { method: 'POST', body: 'x' }).then((answer) => answer.status)`,
      );
      expect([own, await count()]).toEqual([200, before + 1]);
    } finally {
      elsewhere.close();
    }
  });

  test('a person can log in with the keyboard alone, and leaving ends the session', async () => {
    await openPage({ refused: 401 });
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await page.keyboard.type('admin');
    await page.keyboard.press('Tab');
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await page.getByText('Not accepted: wrong login or password (401)').waitFor();
    await page.keyboard.type(ADMIN_PASSWORD);
    const answered = page.waitForResponse((response) => response.url().endsWith('/auth:login'));
    await page.keyboard.press('Enter');
    const token = (await (await answered).json()).data.accessToken;
    await page.getByText('logged in as admin').waitFor();
    expect(await everythingStored()).not.toContain(token);

    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('button', { name: 'Open the documentation' }).waitFor();
    expect((await app.call('GET', '/system:checkAuth', { token })).status).toBe(401);
  });
});
