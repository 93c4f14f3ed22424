import { describe, expect, test } from 'vitest';
import { digits, publicAccess, type Route, reads, route } from '../../src/http/route.ts';
import { createRouter } from '../../src/http/router.ts';
import { rawRequest, sendRaw } from './raw-http.ts';
import { useApp } from './use-app.ts';

const V3 = '/pbxcore/api/v3';
const NETWORK_FILTERS = { '/api/v3/network-filters': 'read' };

describe('contract 1.1: paths and verbs', () => {
  const running = useApp();
  /** Sends paths exactly as written; a client library would normalize them. */
  const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const [answer] = await sendRaw(running.app.port, rawRequest(method, path, headers));
    if (!answer) throw new Error('no answer');
    return answer;
  };

  test('core routes live under /pbxcore/api/v3 and custom operations take a colon suffix', async () => {
    expect((await ask('GET', `${V3}/system:ping`)).status).toBe(200);
    for (const path of [
      '/api/v3/system:ping',
      '/system:ping',
      '/pbxcore/api/v2/system:ping',
      `${V3}/system/ping`,
    ]) {
      expect(await ask('GET', path), path).toMatchObject({ status: 404 });
    }
  });

  test('core routes are a collection, an item or a collection action', async () => {
    const { id } = await running.app.createKey();
    for (const path of ['/api-keys', `/api-keys/${id}`, '/api-keys:getDefault']) {
      expect(await running.asAdmin('GET', path), path).toMatchObject({ status: 200 });
    }
  });

  test('an action is case-sensitive', async () => {
    for (const path of ['/system:Ping', '/system:PING', '/System:ping']) {
      expect(await ask('GET', V3 + path), path).toMatchObject({ status: 404 });
    }
  });

  test('one trailing slash after a collection is accepted, two are not, and none after an item', async () => {
    const key = await running.keyFor({ '/api/v3/api-keys': 'read' });
    const status = async (path: string) => (await ask('GET', V3 + path, { 'X-Api-Key': key })).status;
    expect(await status('/api-keys/')).toBe(200);
    expect(await status('/api-keys//')).toBe(404);
    expect(await status('/api-keys/1/')).toBe(404);
    expect(await status('/system:ping/')).toBe(404);
  });

  test('an encoded slash or colon is never a separator and makes the path 404', async () => {
    const paths = ['/api-keys%2F1', '/api-keys%2f1', '/system%3Aping', '/system%3aping', '/firewall/1%2F2'];
    for (const path of paths) expect(await ask('GET', V3 + path), path).toMatchObject({ status: 404 });
  });

  test('double encoding, traversal and broken encoding are 404', async () => {
    const paths = [
      `${V3}/api-keys%252F1`,
      `${V3}/system%253Aping`,
      `${V3}/../v3/system:ping`,
      `${V3}/%2e%2e/v3/system:ping`,
      `${V3}/firewall-bouncer/../api-keys`,
      `${V3}/./system:ping`,
      `${V3}/system:ping%00`,
      `${V3}/system:ping%zz`,
      `${V3}/system:ping%ff`,
      `/${V3}/system:ping`,
      '/../../etc/passwd',
      '*',
    ];
    for (const path of paths) expect(await ask('GET', path), path).toMatchObject({ status: 404 });
  });

  test('an error below /firewall-bouncer repeats its reason as message, however the path is written', async () => {
    for (const root of ['/firewall-bouncer', '/firewall%2Dbouncer'])
      for (const path of ['/v1/nothing', '/v1/whitelist']) {
        const { body } = await running.call('GET', root + path);
        expect(body.message, root + path).toBe(body.messages.error[0]);
        expect(body.message).toBeTruthy();
      }
  });

  test('below /firewall-bouncer several slashes in a row count as one, elsewhere they do not', async () => {
    const key = await running.keyFor({ '/api/v3/firewall-bouncer': 'read' });
    const status = async (path: string) => (await ask('GET', V3 + path, { 'X-Api-Key': key })).status;
    expect(await status('/firewall-bouncer//v1/decisions/stream?startup=true')).toBe(200);
    expect(await status('/firewall-bouncer///v1//whitelist')).toBe(200);
    expect(await status('//firewall-bouncer/v1/whitelist')).toBe(404);
    expect(await status('//api-keys')).toBe(404);
  });

  test('unknown path, unknown action and an id outside its pattern are 404 before authentication', async () => {
    const paths = [
      '/nothing',
      '/api-keys:nothing',
      '/api-keys/abc',
      '/api-keys/-1',
      '/api-keys/1.5',
      '/cdr-archive',
    ];
    for (const path of paths) {
      const { status, body } = await running.call('GET', path);
      expect({ path, status }).toEqual({ path, status: 404 });
      expect(body).toMatchObject({ result: false, function: '' });
      expect(body.messages.error[0]).toContain('not found');
    }
  });

  test('ids beyond 32 bits are 404, with and without a credential', async () => {
    for (const id of ['2147483647', '2147483648', '9223372036854775808', '9'.repeat(400)]) {
      expect(await running.asAdmin('GET', `/api-keys/${id}`), id).toMatchObject({ status: 404 });
      expect(await running.asAdmin('PUT', `/firewall/${id}`, {}), id).toMatchObject({ status: 404 });
    }
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
    'an undeclared %s on a known path is 405 with Allow, before authentication',
    async (method) => {
      const { status, headers, body } = await ask(method, `${V3}/network-filters`);
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET' });
      if (method !== 'HEAD') expect(body.messages.error[0]).toContain('not supported');
    },
  );

  test('Allow lists every declared verb', async () => {
    expect((await ask('TRACE', `${V3}/api-keys/1`)).headers.allow).toBe('GET, PUT, PATCH, DELETE');
    expect((await ask('POST', `${V3}/api-keys:getDefault`)).headers.allow).toBe('GET');
  });

  test('HEAD exists only on routes that declare it', async () => {
    const key = await running.keyFor({ '/api/v3/firewall-bouncer': 'read' });
    for (const path of ['/v1/decisions/stream', '/v1/decisions']) {
      expect(await running.call('HEAD', `/firewall-bouncer${path}`, { key })).toMatchObject({
        status: 200,
        text: '',
      });
    }
    expect(await running.call('HEAD', '/firewall-bouncer/v1/whitelist', { key })).toMatchObject({
      status: 405,
    });
    expect(await running.call('HEAD', '/system:ping')).toMatchObject({ status: 405 });
  });

  test('no CORS header is ever sent', async () => {
    const asked = { Origin: 'https://example.org', 'Access-Control-Request-Method': 'GET' };
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await ask(method, `${V3}/system:ping`, asked);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  test('unknown query parameters are ignored', async () => {
    expect(await running.call('GET', '/system:ping?colour=red&__proto__=1&startup')).toMatchObject({
      status: 200,
    });
  });

  test('a request line with the whole URL finds the same route', async () => {
    expect((await ask('GET', `http://localhost${V3}/system:ping?a=1`)).status).toBe(200);
    expect((await ask('GET', 'http://localhost')).status).toBe(404);
  });
});

describe('contract 1.1: checks run in order, and the first failure answers', () => {
  const running = useApp(undefined, {
    PBXCORE_RATE_LIMIT_CALLER: '1000',
    PBXCORE_TRUSTED_PROXIES: '127.0.0.1',
  });
  const BROKEN = '{"broken';
  const OTHER = { 'x-forwarded-for': '192.0.2.99' };

  test('1 the route is checked before 2 the credential', async () => {
    expect(await running.call('POST', '/nothing', { key: 'bad', body: BROKEN })).toMatchObject({
      status: 404,
    });
    expect(await running.call('POST', '/network-filters', { key: 'bad', body: BROKEN })).toMatchObject({
      status: 405,
    });
  });

  test('2 the credential is checked before 6 the body and 7 the record', async () => {
    expect(await running.call('PUT', '/api-keys/999999', { key: 'bad', body: BROKEN })).toMatchObject({
      status: 401,
    });
  });

  test('3 the network filter of the key is checked before 4 its level', async () => {
    const { key } = await running.app.createKey({
      allowed_paths: NETWORK_FILTERS,
      networkfilterid: 'localhost',
    });
    const { status, body } = await running.call('GET', '/api-keys', { key, headers: OTHER });
    expect(status).toBe(403);
    expect(body.messages.error[0]).toContain('address');
  });

  test('4 the level is checked before 6 the body and 7 the record', async () => {
    const { key } = await running.app.createKey({ allowed_paths: { '/api/v3/api-keys': 'read' } });
    expect(await running.call('PUT', '/api-keys/999999', { key, body: BROKEN })).toMatchObject({
      status: 403,
    });
  });

  test('6 the body is checked before 7 the record, and that before 8 the fields', async () => {
    expect(await running.asAdmin('PUT', '/api-keys/999999', BROKEN)).toMatchObject({ status: 400 });
    expect(await running.asAdmin('PUT', '/api-keys/999999', {})).toMatchObject({ status: 404 });
    expect(await running.asAdmin('PUT', '/firewall/999999', { network: 'x' })).toMatchObject({ status: 404 });
  });

  test('8 the fields are checked before 9 the conflict; nothing is stored when a check fails', async () => {
    await running.asAdmin('PUT', '/fail2ban', { whitelist: '192.0.2.0/24' });
    const ban = (body: object) => running.asAdmin('POST', '/firewall:banIp', body);
    expect(await ban({ ip: '192.0.2.1', seconds: 0 })).toMatchObject({ status: 400 });
    expect(await ban({ ip: '192.0.2.1', seconds: 60 })).toMatchObject({ status: 409 });
    expect((await running.asAdmin('GET', '/firewall:getBannedIps')).body.data).toEqual({});
  });
});

describe('contract 1.1: the router alone', () => {
  const resource = { path: '/api/v3/things', label: 'Things', description: '', levels: ['read'] } as const;
  const thing = (path: string, extra: object = {}): Route =>
    route({
      method: 'GET',
      path,
      function: 'x',
      access: reads(resource),
      summary: '',
      handle: () => ({}),
      ...extra,
    });

  test('an item action called on the collection is found, keeps its access and answers 400', () => {
    const router = createRouter([thing('/things/{id}:check', { id: digits })]);
    const { route: found } = router.find('GET', `${V3}/things:check`);
    expect(found.access).toMatchObject({ kind: 'resource', level: 'read' });
    expect(() => found.handle({} as never)).toThrow('id: this action needs the id of one record');
    expect(router.find('GET', `${V3}/things/7:check`).id).toBe('7');
  });

  test('{id} excludes slash and colon even when the resource allows anything', () => {
    const router = createRouter([thing('/things/{id}', { id: { pattern: /^.+$/, description: '' } })]);
    expect(router.find('GET', `${V3}/things/a b`).id).toBe('a b');
    for (const path of ['/things/a/b', '/things/a:b', '/things/']) {
      expect(() => router.find('GET', V3 + path), path).toThrow('not found');
    }
  });

  test('a route that does not declare its access stops the start', () => {
    expect(() => createRouter([thing('/things', { access: undefined })])).toThrow(
      'GET /pbxcore/api/v3/things: a route must say',
    );
  });

  test('the type requires the access of a route', () => {
    // @ts-expect-error without `access` a route does not compile
    route({ method: 'GET', path: '/things', function: 'x', summary: '', handle: () => ({}) });
    expect(publicAccess.kind).toBe('public');
  });

  test('a route declared twice stops the start', () => {
    expect(() => createRouter([thing('/things'), thing('/things')])).toThrow('declared twice');
  });
});
