import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD } from '../make-app.ts';
import { availablePairs, useApp } from './use-app.ts';

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const PROXY = { PBXCORE_TRUSTED_PROXIES: '127.0.0.1' };

describe('contract 1.8: callers without a valid credential', () => {
  const running = useApp(undefined, { ...PROXY, PBXCORE_RATE_LIMIT_ANONYMOUS: '4' });

  test('missing tokens, bad tokens and public routes share one limit per address and minute', async () => {
    const one = from('192.0.2.1');
    expect(await running.call('GET', '/api-keys', one)).toMatchObject({ status: 401 });
    expect(await running.call('GET', '/api-keys', { ...one, key: 'bad' })).toMatchObject({ status: 401 });
    expect(await running.call('GET', '/system:ping', one)).toMatchObject({ status: 200 });
    expect(await running.call('POST', '/auth:login', { ...one, body: {} })).toMatchObject({ status: 400 });
    await running.app.advance(20_000);
    for (const path of ['/system:ping', '/api-keys']) {
      const { status, headers, body } = await running.call('GET', path, one);
      expect({ path, status, retry: headers.get('retry-after') }).toEqual({ path, status: 429, retry: '40' });
      expect(body).toMatchObject({ result: false, httpCode: 429 });
    }
    expect(await running.call('GET', '/system:ping', from('192.0.2.2')), 'another address').toMatchObject({
      status: 200,
    });
    await running.app.advance(40_000);
    expect(await running.call('GET', '/system:ping', one), 'a minute later').toMatchObject({ status: 200 });
  });

  test('/health is not limited and does not count towards the limit (contract 17.21)', async () => {
    const health = async () =>
      (await fetch(`${running.app.origin}/health`, { headers: { 'x-forwarded-for': '192.0.2.5' } })).status;
    for (let n = 0; n < 6; n++) expect(await health()).toBe(200);
    for (let n = 0; n < 4; n++)
      expect(await running.call('GET', '/system:ping', from('192.0.2.5'))).toMatchObject({ status: 200 });
    expect(await running.call('GET', '/system:ping', from('192.0.2.5'))).toMatchObject({ status: 429 });
    expect(await health()).toBe(200);
  });

  test('a valid credential is not limited by other requests from its address', async () => {
    const key = await running.keyFor({ '/api/v3/api-keys': 'read' });
    for (let n = 0; n < 6; n++) await running.call('GET', '/system:ping', from('192.0.2.3'));
    for (let n = 0; n < 6; n++) {
      expect(await running.call('GET', '/api-keys', { key, ...from('192.0.2.3') })).toMatchObject({
        status: 200,
      });
    }
  });

  test('a 429 below the bouncer repeats its reason as message', async () => {
    let answer = await running.call('GET', '/firewall-bouncer/v1/whitelist', from('192.0.2.4'));
    for (let n = 0; n < 5; n++)
      answer = await running.call('GET', '/firewall-bouncer/v1/whitelist', from('192.0.2.4'));
    expect(answer.status).toBe(429);
    expect(answer.body.message).toBe(answer.body.messages.error[0]);
  });
});

describe('contract 1.8: callers with a valid credential', () => {
  const running = useApp(undefined, { PBXCORE_RATE_LIMIT_CALLER: '3' });

  test('rate_limit_caller counts each key separately; 429 comes after 403 and before the body', async () => {
    const a = await running.keyFor({ '/api/v3/api-keys': 'write' });
    const b = await running.keyFor({ '/api/v3/api-keys': 'write' });
    const ask = (key: string, path = '/api-keys') => running.call('GET', path, { key });
    for (let n = 0; n < 3; n++) expect(await ask(a)).toMatchObject({ status: 200 });
    const refused = await running.call('POST', '/api-keys', { key: a, body: '{broken' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await ask(a, '/firewall')).toMatchObject({ status: 403 });
    expect(await ask(b)).toMatchObject({ status: 200 });
    await running.app.advance(60_000);
    expect(await ask(a)).toMatchObject({ status: 200 });
  });
});

describe('contract 1.8: limits that are off by default', () => {
  const running = useApp();

  test('a valid credential has no limit, not even that of a bouncer', async () => {
    const { key } = await running.app.createKey();
    const polls = Array.from({ length: 610 }, () =>
      running.app.call('HEAD', '/firewall-bouncer/v1/decisions/stream', { key }),
    );
    expect((await Promise.all(polls)).filter(({ status }) => status !== 200)).toEqual([]);
  });
});

describe('contract 1.8: the default of rate_limit_anonymous', () => {
  const running = useApp(undefined, { PBXCORE_RATE_LIMIT_ANONYMOUS: '' });

  test('600 requests a minute pass, the next does not', async () => {
    const asked = await Promise.all(
      Array.from({ length: 605 }, () => running.app.call('GET', '/system:ping')),
    );
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(600);
    expect(asked.filter(({ status }) => status === 429)).toHaveLength(5);
  });
});

describe.each(availablePairs)('contract 1.8: auth limits on $name', ({ open }) => {
  const running = useApp(open, PROXY);

  test('auth:refresh is limited to 100 calls per address in 300 s', async () => {
    const refresh = (address = '192.0.2.9') => running.call('POST', '/auth:refresh', from(address));
    const asked = await Promise.all(Array.from({ length: 100 }, () => refresh()));
    expect(asked.filter(({ status }) => status !== 401)).toEqual([]);
    const refused = await refresh();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(290);
    expect(await refresh('192.0.2.10')).toMatchObject({ status: 401 });
    await running.app.advance(301_000);
    expect(await refresh()).toMatchObject({ status: 401 });
  });

  test('auth:login is limited to 10 failures per address in 300 s, then 429 even with the right password', async () => {
    const login = (password: string, address = '192.0.2.20') =>
      running.call('POST', '/auth:login', { body: { login: 'admin', password }, ...from(address) });
    for (let n = 0; n < 10; n++) expect(await login('wrong')).toMatchObject({ status: 401 });
    const refused = await login(ADMIN_PASSWORD);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(290);
    expect(await login(ADMIN_PASSWORD, '192.0.2.21'), 'another address').toMatchObject({ status: 200 });
    await running.app.advance(301_000);
    expect(await login(ADMIN_PASSWORD), 'later').toMatchObject({ status: 200 });
  });

  test('successful logins are not counted', async () => {
    for (let n = 0; n < 11; n++) {
      const answer = await running.call('POST', '/auth:login', {
        body: { login: 'admin', password: ADMIN_PASSWORD },
        ...from('192.0.2.22'),
      });
      expect(answer.status).toBe(200);
    }
  });

  test('guesses sent all at once do not slip past the limit', async () => {
    const guesses = Array.from({ length: 25 }, () =>
      running.call('POST', '/auth:login', {
        body: { login: 'admin', password: 'guess' },
        ...from('192.0.2.23'),
      }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(15).fill(429)]);
  });
});

describe('contract 1.8: common headers', () => {
  const running = useApp();
  const raw = async (path: string, encoding: string) => {
    const { get } = await import('node:http');
    const headers = { authorization: `Bearer ${await running.app.admin()}`, 'accept-encoding': encoding };
    return new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      get(`${running.app.origin}/pbxcore/api/v3${path}`, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
      }).on('error', reject);
    });
  };

  test('every answer has nosniff, and enveloped ones have no-store', async () => {
    for (const path of ['/system:ping', '/nothing', '/api-keys']) {
      const { headers } = await running.call('GET', path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
    }
    const { key } = await running.app.createKey();
    const bouncer = await running.call('GET', '/firewall-bouncer/v1/whitelist', { key });
    expect(bouncer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(bouncer.headers.get('cache-control')).toBe('private, no-cache');
  });

  test('gzip is honoured above 1 KiB, with Vary', async () => {
    const large = await raw('/openapi:getSimplifiedPermissions', 'gzip');
    expect(large.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(JSON.parse(gunzipSync(large.body).toString()).result).toBe(true);
    const small = await raw('/system:ping', 'gzip');
    expect(small.headers['content-encoding']).toBeUndefined();
  });

  test.each(['', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.000', 'deflate, gzip;q=0, *'])(
    'Accept-Encoding "%s" is answered uncompressed, still with Vary',
    async (encoding) => {
      const { headers, body } = await raw('/openapi:getSimplifiedPermissions', encoding);
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers.vary).toBe('Accept-Encoding');
      expect(JSON.parse(body.toString()).result).toBe(true);
    },
  );
});
