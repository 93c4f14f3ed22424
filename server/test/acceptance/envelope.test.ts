import { describe, expect, test } from 'vitest';
import { describeFailure } from '../../src/http/failure.ts';
import { availablePairs, useApp } from './use-app.ts';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;

describe('contract 1.2: the success envelope', () => {
  const running = useApp();

  test('a 200 has result, data, messages, function and meta, and nothing else', async () => {
    const { body } = await running.call('GET', '/system:ping');
    expect(body).toEqual({
      result: true,
      data: {},
      messages: { error: [], info: [], warning: [] },
      function: 'ping',
      meta: { timestamp: '2026-05-04T10:11:12+02:00' },
    });
  });

  test('empty data is {} or [], according to the type in the table', async () => {
    expect((await running.asAdmin('GET', '/firewall:getBannedIps')).body.data).toEqual({});
    const empty = await running.asAdmin('GET', '/api-keys?offset=1000');
    expect(empty.body.data).toEqual([]);
  });

  test('function is getList, getRecord, create, update, patch, delete or the name of the action', async () => {
    const record = { network: '10.0.0.0', subnet: 8 };
    const { body: created } = await running.asAdmin('POST', '/firewall', record);
    const item = `/firewall/${created.data.id}`;
    const named = async (method: string, path: string, body?: object) =>
      (await running.asAdmin(method, path, body)).body.function;
    expect(created.function).toBe('create');
    expect(await named('GET', '/firewall')).toBe('getList');
    expect(await named('GET', item)).toBe('getRecord');
    expect(await named('PUT', item, record)).toBe('update');
    expect(await named('PATCH', item, {})).toBe('patch');
    expect(await named('DELETE', item)).toBe('delete');
    expect(await named('GET', '/firewall:getDefault')).toBe('getDefault');
  });

  test('httpCode is there when the status is not 200', async () => {
    const created = await running.asAdmin('POST', '/api-keys', { description: 'x' });
    expect(created).toMatchObject({ status: 201, body: { httpCode: 201 } });
  });

  test('bouncer answers and the OpenAPI document have no envelope, and usage metrics have an empty body', async () => {
    const { key } = await running.app.createKey();
    const stream = await running.call('GET', '/firewall-bouncer/v1/decisions/stream?startup=true', { key });
    expect(stream.text).toBe('{"new":[],"deleted":[]}');
    expect((await running.call('GET', '/firewall-bouncer/v1/whitelist', { key })).text).toBe('[]');
    expect((await running.call('GET', '/openapi:getSpecification', { key })).body.openapi).toMatch(/^3\.1/);
    const metrics = await running.call('POST', '/firewall-bouncer/v1/usage-metrics', { key, body: {} });
    expect(metrics).toMatchObject({ status: 201, text: '' });
  });
});

describe('contract 1.3 and 1.4: the error envelope and its statuses', () => {
  const running = useApp();

  test('every status has the same shape: a reason, an empty object as data and the code', async () => {
    const { key } = await running.app.createKey({ allowed_paths: {} });
    const answers = {
      400: await running.asAdmin('POST', '/api-keys', {}),
      401: await running.call('GET', '/api-keys'),
      403: await running.call('GET', '/api-keys', { key }),
      404: await running.asAdmin('GET', '/api-keys/999999'),
      405: await running.asAdmin('DELETE', '/api-keys'),
      413: await running.asAdmin('POST', '/api-keys', { description: 'x'.repeat(1_100_000) }),
      415: await running.call('POST', '/auth:login', {
        body: 'x',
        headers: { 'content-type': 'text/plain' },
      }),
    };
    for (const [status, answer] of Object.entries(answers)) {
      const { body } = answer;
      expect(answer.status).toBe(Number(status));
      expect(Object.keys(body)).toEqual(['result', 'data', 'messages', 'httpCode', 'function', 'meta']);
      expect(body).toMatchObject({ result: false, data: {}, httpCode: Number(status) });
      expect(body.messages).toEqual({ error: [expect.any(String)], info: [], warning: [] });
      expect(body.meta.timestamp).toMatch(TIMESTAMP);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  test('a 401 says WWW-Authenticate: Bearer', async () => {
    expect((await running.call('GET', '/api-keys')).headers.get('www-authenticate')).toBe('Bearer');
  });

  test('data is {} even where success returns an array', async () => {
    expect((await running.asAdmin('GET', '/api-keys?offset=-1')).body.data).toEqual({});
  });

  test('every error below /firewall-bouncer adds message, the first error', async () => {
    const { key } = await running.app.createKey({ allowed_paths: {} });
    const bouncer = (path: string, method = 'GET', with_ = {}) =>
      running.call(method, `/firewall-bouncer${path}`, with_);
    const answers = [
      await bouncer('/v1/decisions/stream'),
      await bouncer('/v1/decisions/stream', 'GET', { key }),
      await bouncer('/v1/nothing'),
      await bouncer(''),
      await bouncer('/v1/whitelist', 'DELETE'),
      await bouncer('/v1/decisions?ip=x', 'GET', { token: await running.app.admin() }),
      await bouncer('/v1/usage-metrics', 'POST', { token: await running.app.admin(), body: '[]' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 404, 404, 405, 400, 400]);
    for (const { body } of answers) expect(body.message).toBe(body.messages.error[0]);
  });

  test('errors elsewhere have no message', async () => {
    expect((await running.call('GET', '/firewall')).body).not.toHaveProperty('message');
    expect((await running.call('GET', '/firewall-bouncers')).body).not.toHaveProperty('message');
  });

  test('a field error reads "<field>: <reason>" with the bound; a request reports all of them together', async () => {
    const { body } = await running.asAdmin('POST', '/firewall:banIp', {
      ip: 'x',
      seconds: 0,
      category: 'ssh',
    });
    expect(body.messages.error).toEqual([
      'ip: must be an IPv4 or IPv6 address or CIDR',
      'seconds: must be 1..31536000 (got 0)',
      'category: must be one of sip, http, ami, iax',
    ]);
  });

  test('the error of a missing record says not found', async () => {
    const paths = ['/api-keys/999999', '/firewall/999999', '/network-filters/999999'];
    for (const path of paths) {
      expect((await running.asAdmin('GET', path)).body.messages.error[0], path).toContain('not found');
    }
  });

  test('every answer carries a random X-Request-Id', async () => {
    const ids = await Promise.all(
      ['/system:ping', '/nothing', '/api-keys'].map(async (path) =>
        (await running.call('GET', path)).headers.get('x-request-id'),
      ),
    );
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(3);
  });

  test('a 500 says only that it failed', () => {
    const defect = new Error('SELECT secret FROM /etc/passwd');
    expect(describeFailure(defect)).toEqual({ status: 500, reasons: ['internal error'], headers: {} });
    expect(describeFailure(undefined)).toMatchObject({ status: 500, reasons: ['internal error'] });
  });

  test('an error body repeats neither token nor account, and no file, host or version', async () => {
    const secret = 'secret-token-0123456789abcdefghijklmnop';
    const texts = [
      (await running.call('GET', '/api-keys', { token: secret })).text,
      (await running.call('POST', '/auth:login', { body: { login: 'root-account', password: secret } })).text,
      (await running.call('GET', `/${secret}`)).text,
    ];
    for (const text of texts) {
      expect(text).not.toMatch(
        /secret-token|root-account|\.ts|node_modules|\/pbxcore|2026\.1|localhost|127\.0/,
      );
    }
  });
});

const servers = availablePairs.find(({ name }) => name.startsWith('PostgreSQL'));
describe.skipIf(!servers)('contract 1.4: a store that cannot be read is 503', () => {
  const running = useApp(servers?.open);

  test('an unreadable key store is 503 with Retry-After, never 401, and names nothing of the store', async () => {
    const { key } = await running.app.createKey();
    const stream = () => running.call('GET', '/firewall-bouncer/v1/decisions/stream', { key });
    expect((await stream()).status).toBe(200);
    await running.stores.postgres?.kill();
    const answer = await stream();
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.body.message).toBe(answer.body.messages.error[0]);
    expect(answer.text).not.toMatch(/postgres|ECONN|127\.0|5432|sql/i);
    expect((await running.call('GET', '/api-keys', { key: 'unknown'.repeat(8) })).status).toBe(503);
    expect((await running.call('POST', '/auth:login', { body: { login: 'a', password: 'b' } })).status).toBe(
      503,
    );
    expect((await running.call('GET', '/system:ping')).status).toBe(200);
    await running.stores.postgres?.restart();
    await expect.poll(async () => (await stream()).status, { timeout: 15_000 }).toBe(200);
  });
});
