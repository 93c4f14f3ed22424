import { describe, expect, test } from 'vitest';
import { rawRequest, sendRaw } from './raw-http.ts';
import { availablePairs, useApp } from './use-app.ts';

const BAD = 'a-key-that-nobody-ever-made-0123456789';

describe.each(availablePairs)('contract 2.1: credentials on $name', ({ open }) => {
  const running = useApp(open);
  const ask = (headers: Record<string, string>, path = '/api-keys') => running.call('GET', path, { headers });
  const good = () => running.keyFor({ '/api/v3/api-keys': 'read' });

  test('Authorization: Bearer takes an API key or a JWT', async () => {
    expect(await running.call('GET', '/api-keys', { token: await good() })).toMatchObject({ status: 200 });
    expect(await running.call('GET', '/api-keys', { token: await running.app.admin() })).toMatchObject({
      status: 200,
    });
  });

  test('X-Api-Key takes an API key, and no JWT', async () => {
    expect(await ask({ 'x-api-key': await good() })).toMatchObject({ status: 200 });
    expect(await ask({ 'x-api-key': await running.app.admin() })).toMatchObject({ status: 401 });
  });

  test('if both are sent, a non-blank Bearer wins, even a bad one', async () => {
    const key = await good();
    expect(await ask({ authorization: `Bearer ${key}`, 'x-api-key': BAD })).toMatchObject({ status: 200 });
    expect(await ask({ authorization: `Bearer ${BAD}`, 'x-api-key': key })).toMatchObject({ status: 401 });
  });

  test.each(['Basic x', 'Bearer', 'Bearer ', 'Bearer   ', 'Digest y', 'bearerx', ''])(
    'Authorization "%s" falls back to X-Api-Key',
    async (authorization) => {
      expect(await ask({ authorization, 'x-api-key': await good() })).toMatchObject({ status: 200 });
      expect(await ask({ authorization })).toMatchObject({ status: 401 });
    },
  );

  test.each(['bearer', 'BEARER', 'bEaReR'])('the scheme word may have any case: %s', async (scheme) => {
    expect(await ask({ authorization: `${scheme} ${await good()}` })).toMatchObject({ status: 200 });
  });

  test('a token over 4096 characters is 401 and does not fall back', async () => {
    const key = await good();
    expect(await ask({ authorization: `Bearer ${'x'.repeat(4097)}`, 'x-api-key': key })).toMatchObject({
      status: 401,
    });
    expect(await ask({ 'x-api-key': 'x'.repeat(4097) })).toMatchObject({ status: 401 });
  });

  test('a token in the query or a cookie is never read', async () => {
    const key = await good();
    for (const name of ['token', 'access_token', 'api_key', 'apikey', 'X-Api-Key', 'authorization']) {
      expect(await running.call('GET', `/api-keys?${name}=${key}`)).toMatchObject({ status: 401 });
    }
    expect(await ask({ cookie: `token=${key}; refreshToken=${key}` })).toMatchObject({ status: 401 });
  });

  test('a local caller without a token or with a bad one is 401', async () => {
    expect(await ask({})).toMatchObject({ status: 401 });
    expect(await ask({ authorization: 'Bearer None' })).toMatchObject({ status: 401 });
  });

  test('a bad token on a public route is ignored', async () => {
    for (const headers of [{ authorization: `Bearer ${BAD}` }, { 'x-api-key': BAD }]) {
      expect(await ask(headers, '/system:ping')).toMatchObject({ status: 200 });
    }
  });

  test('only auth:login, auth:refresh, system:ping, playback and download of recordings, playback of sounds and pages outside the API are public', () => {
    const open = running.app.app.routes.filter(({ access }) => access.kind === 'public');
    const paths = new Set(open.filter(({ outside }) => !outside).map(({ path }) => path));
    expect([...paths].sort()).toEqual([
      '/auth:login',
      '/auth:refresh',
      '/cdr:download',
      '/cdr:playback',
      '/sound-files:playback',
      '/system:ping',
    ]);
  });

  test('any valid credential, even without a level, opens openapi:* and system:checkAuth', async () => {
    const key = await running.keyFor({});
    const paths = ['getSpecification', 'getSimplifiedPermissions', 'getDetailedPermissions'].map(
      (name) => `/openapi:${name}`,
    );
    for (const path of [...paths, '/system:checkAuth']) {
      expect(await running.call('GET', path, { key })).toMatchObject({ status: 200 });
      expect(await running.call('GET', path)).toMatchObject({ status: 401 });
    }
  });

  test('auth:logout and auth:changePassword take only a JWT and refuse even a key with full permissions', async () => {
    const key = await running.keyFor({}, { full_permissions: true });
    for (const path of ['/auth:logout', '/auth:changePassword']) {
      expect(await running.call('POST', path, { key })).toMatchObject({ status: 403 });
      expect(await running.call('POST', path)).toMatchObject({ status: 401 });
    }
  });

  test.each([
    "' OR '1'='1",
    '%',
    '*',
    'null',
    'undefined',
    '0',
    '\u00fc'.repeat(40),
    'a.b.c',
    '..',
    '__proto__',
  ])('the text "%s" is no key', async (text) => {
    const headers = { 'X-Api-Key': Buffer.from(text, 'utf8').toString('latin1') };
    const [answer] = await sendRaw(running.app.port, rawRequest('GET', '/pbxcore/api/v3/api-keys', headers));
    expect(answer?.status).toBe(401);
  });

  test('neither the displayed part nor the id nor a variation of a key grants access', async () => {
    const { id, key } = await running.app.createKey({ allowed_paths: { '/api/v3/api-keys': 'read' } });
    const { body } = await running.asAdmin('GET', `/api-keys/${id}`);
    for (const part of [body.data.key_display, key.slice(0, 63), `${key}0`, key.toUpperCase(), id]) {
      expect(await running.call('GET', '/api-keys', { key: part })).toMatchObject({ status: 401 });
    }
  });
});

describe('contract 2.3: outcome', () => {
  const running = useApp();
  const STREAM = '/firewall-bouncer/v1/decisions/stream';

  test('401: absent, unknown or revoked, on bouncer endpoints too', async () => {
    const { id, key } = await running.app.createKey();
    expect(await running.call('GET', STREAM, { key })).toMatchObject({ status: 200 });
    await running.asAdmin('DELETE', `/api-keys/${id}`);
    for (const options of [{}, { key: BAD }, { key }]) {
      const { status, headers } = await running.call('GET', STREAM, options);
      expect({ status, header: headers.get('www-authenticate') }).toEqual({ status: 401, header: 'Bearer' });
    }
  });

  test('403: a valid key without the level', async () => {
    const key = await running.keyFor({ '/api/v3/firewall': 'write' });
    const { status, headers } = await running.call('GET', STREAM, { key });
    expect({ status, header: headers.get('www-authenticate') }).toEqual({ status: 403, header: null });
  });

  test('a JWT holds every level', async () => {
    for (const path of ['/api-keys', '/firewall', '/fail2ban', '/network-filters', STREAM]) {
      expect(await running.asAdmin('GET', path)).toMatchObject({ status: 200 });
    }
  });
});
