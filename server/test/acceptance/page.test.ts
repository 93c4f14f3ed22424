import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PAGE_ADDRESSES } from '../../src/features/system/page/page.routes.ts';
import { createPageFiles } from '../../src/features/system/page/page-files.ts';
import { realPart } from '../real/require-real.ts';
import { useApp } from './use-app.ts';

const ASSETS = join(import.meta.dirname, '../../../web/dist/assets');
const built = await readdir(ASSETS).catch(() => []);
const hasPage = realPart('the built page (npm run page)', built.length > 0);

describe('contract 31: the page', () => {
  const running = useApp();
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(running.app.origin + path, { headers, redirect: 'manual' });
  const policyOf = (response: Response) => response.headers.get('content-security-policy') ?? '';

  test('31.1: every page address answers with the document; other addresses and the API are not affected', async () => {
    for (const address of PAGE_ADDRESSES) {
      const response = await get(`${address.replace('{id}', 'a%20name')}?filter=1`);
      expect([address, response.status]).toEqual([address, 200]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      await response.text();
    }
    console.log(`${PAGE_ADDRESSES.length} addresses of the page answer with the document`);
    for (const path of [
      '/nothing',
      '/employees/1/2',
      '/assets/',
      '/assets/none.js',
      '/assets/..%2findex.html',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    expect((await get('/health')).headers.get('content-type')).toContain('json');
    expect((await get('/docs')).headers.get('content-type')).toContain('html');
    expect((await get('/metrics')).status).toBe(401);
    expect((await get('/pbxcore/api/v3/employees')).status).toBe(401);
  });

  test('31.3: the policy allows nothing from elsewhere, and the style nonce is new in every document', async () => {
    const [one, other] = await Promise.all([get('/'), get('/employees')]);
    const policy = policyOf(one);
    const nonce = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? '';
    expect(policy.replace(nonce, 'N')).toBe(
      "default-src 'self'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' data:; media-src 'self'; " +
        "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    );
    expect(policyOf(other)).not.toContain(nonce);
    expect(one.headers.get('referrer-policy')).toBe('no-referrer');
    expect(one.headers.get('x-frame-options')).toBe('DENY');
    if (hasPage) expect(await one.text()).toContain(nonce);
  });

  test.skipIf(!hasPage)(
    '31.2: files never change under their name, and are served compressed on request',
    async () => {
      const named = /(?:src|href)="(\/assets\/[^"]+)"/g;
      const files = [...(await (await get('/')).text()).matchAll(named)].map(([, path]) => path as string);
      expect(files.length).toBeGreaterThan(1);
      for (const path of files) {
        const answers = await Promise.all(
          ['br', 'gzip', 'identity'].map((coding) => get(path, { 'accept-encoding': coding })),
        );
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', null]);
        const texts = await Promise.all(answers.map((answer) => answer.text()));
        expect(new Set(texts).size).toBe(1);
        for (const { headers } of answers) {
          expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
          expect(headers.get('vary')).toBe('Accept-Encoding');
        }
      }
      console.log(`${files.length} files of the first screen are immutable, with brotli and gzip ready`);
    },
  );
});

test('31.4: if the page was not built, a plain document says so and names the command', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pbxcore-page-'));
  try {
    const files = createPageFiles(folder);
    const text = async () => {
      const { parts } = (await files.document()) as { parts?: readonly (string | Uint8Array)[] };
      return (parts ?? []).map(String).join('');
    };
    expect(await text()).toContain('npm run page');
    await writeFile(join(folder, 'index.html'), '<meta content="%NONCE%">');
    expect(await text()).toMatch(/^<meta content="[\w-]{22}">$/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
