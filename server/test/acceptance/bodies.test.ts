import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD } from '../make-app.ts';
import { useApp } from './use-app.ts';

const MIB = 1024 * 1024;
const METRICS = '/firewall-bouncer/v1/usage-metrics';

describe('contract 1.5: request bodies', () => {
  const running = useApp();
  const admin = async (
    path: string,
    body: string | Buffer,
    headers: Record<string, string>,
    method = 'POST',
  ) => {
    const response = await fetch(`${running.app.origin}/pbxcore/api/v3${path}`, {
      method,
      headers: { authorization: `Bearer ${await running.app.admin()}`, ...headers },
      body: body as string,
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const typed = (type: string) => admin('/api-keys', '{"description":"typed"}', { 'content-type': type });

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'a JSON object is read as %s',
    async (type) => {
      expect(await typed(type)).toMatchObject({ status: 201 });
    },
  );

  test.each([
    'text/plain',
    'application/json; charset=latin1',
    'application/xml',
    'text/csv',
    'multipart/form-data; boundary=x',
    '',
  ])('a body of type "%s" is 415', async (type) => {
    expect(await typed(type)).toMatchObject({ status: 415 });
  });

  test('a form is accepted on auth:login and auth:refresh only', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const login = await running.call('POST', '/auth:login', {
      body: `login=admin&password=${ADMIN_PASSWORD}&rememberMe=1`,
      headers: form,
    });
    expect(login.status).toBe(200);
    const refreshToken = /refreshToken=([0-9a-f]{64})/.exec(login.headers.get('set-cookie') ?? '')?.[1];
    const refresh = await running.call('POST', '/auth:refresh', {
      body: `refreshToken=${refreshToken}`,
      headers: form,
    });
    expect(refresh.status).toBe(200);
    expect(await admin('/api-keys', 'description=x', form)).toMatchObject({ status: 415 });
  });

  test('an absent or empty body counts as {}, whatever the type header says', async () => {
    expect(await admin('/fail2ban', '', { 'content-type': 'text/plain' }, 'PATCH')).toMatchObject({
      status: 200,
    });
    expect(await admin('/fail2ban', '', {}, 'PATCH')).toMatchObject({ status: 200 });
    expect((await admin('/api-keys', '', { 'content-type': 'image/png' })).body.messages.error).toEqual([
      'description: required',
    ]);
  });

  test('1 MiB is accepted, one byte more is 413', async () => {
    const { key } = await running.app.createKey();
    const report = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`;
    expect(await running.call('POST', METRICS, { key, body: report(MIB) })).toMatchObject({ status: 201 });
    expect(await running.call('POST', METRICS, { key, body: report(MIB + 1) })).toMatchObject({
      status: 413,
    });
  });

  test('gzip is accepted on usage metrics, elsewhere it is 415; other encodings are 415 everywhere', async () => {
    const packed = gzipSync('{"remediation_components":[]}');
    const json = { 'content-type': 'application/json' };
    expect(await admin(METRICS, packed, { ...json, 'content-encoding': 'gzip' })).toMatchObject({
      status: 201,
    });
    expect(await admin('/api-keys', packed, { ...json, 'content-encoding': 'gzip' })).toMatchObject({
      status: 415,
    });
    for (const encoding of ['deflate', 'br', 'gzip, gzip', 'x-unknown']) {
      expect(await admin(METRICS, packed, { ...json, 'content-encoding': encoding })).toMatchObject({
        status: 415,
      });
    }
  });

  test('the limit of 1 MiB applies after decompression: a bomb is 413', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const bomb = gzipSync(`{"a":"${'0'.repeat(64 * MIB)}"}`);
    expect(bomb.length).toBeLessThan(MIB);
    expect(await admin(METRICS, bomb, headers)).toMatchObject({ status: 413 });
    expect(await admin(METRICS, gzipSync(`{"a":"${'0'.repeat(MIB - 8)}"}`), headers)).toMatchObject({
      status: 201,
    });
  });

  test('broken or truncated gzip is 400', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect(await admin(METRICS, 'not gzip', headers)).toMatchObject({ status: 400 });
    expect(await admin(METRICS, gzipSync('{"a":1}').subarray(0, 12), headers)).toMatchObject({ status: 400 });
  });

  test('nothing is decompressed before authentication', async () => {
    const response = await fetch(`${running.app.origin}/pbxcore/api/v3${METRICS}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: 'not gzip',
    });
    expect(response.status).toBe(401);
  });

  test.each([
    '{',
    '{"a":1',
    "{'a':1}",
    '{"a":1}x',
    '[]',
    '[{}]',
    '"text"',
    '1',
    'true',
    'null',
    'NaN',
    '\ufeff[]',
  ])('the body %s is 400, never read as empty', async (body) => {
    expect(await running.asAdmin('PATCH', '/fail2ban', body)).toMatchObject({ status: 400 });
    expect(await running.asAdmin('POST', '/firewall:enable', body)).toMatchObject({ status: 400 });
  });

  test('invalid UTF-8 is 400', async () => {
    const json = { 'content-type': 'application/json' };
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"description":"'), Buffer.from(bytes), Buffer.from('"}')]);
      expect(await admin('/api-keys', body, json)).toMatchObject({ status: 400 });
    }
  });

  test('fields come from the body only, a query parameter never overrides one', async () => {
    const { body } = await running.asAdmin('PATCH', '/fail2ban?maxretry=99', { maxretry: 7 });
    expect(body.data.maxretry).toBe(7);
    expect((await running.asAdmin('PATCH', '/fail2ban?maxretry=99', {})).body.data.maxretry).toBe(7);
  });

  test('the id of the path beats the id of the body', async () => {
    const [a, b] = [await running.app.createKey(), await running.app.createKey({ description: 'untouched' })];
    const { body } = await running.asAdmin('PATCH', `/api-keys/${a.id}`, { id: b.id, description: 'mine' });
    expect(body).toMatchObject({ data: { id: a.id, description: 'mine' }, messages: { warning: [] } });
    expect((await running.asAdmin('GET', `/api-keys/${b.id}`)).body.data.description).toBe('untouched');
  });

  test('a record that was read can be put back: response-only fields are silently ignored', async () => {
    const { id } = await running.app.createKey();
    const { body: filter } = await running.asAdmin('POST', '/firewall', { network: '10.0.0.0', subnet: 8 });
    for (const path of [`/api-keys/${id}`, `/firewall/${filter.data.id}`, '/fail2ban']) {
      const { body: read } = await running.asAdmin('GET', path);
      const { status, body } = await running.asAdmin('PUT', path, read.data);
      expect({ path, status, warning: body.messages.warning }).toEqual({ path, status: 200, warning: [] });
      expect(body.data).toEqual(read.data);
    }
  });

  test('null means not sent', async () => {
    await running.asAdmin('PATCH', '/fail2ban', { bantime: 1200 });
    expect((await running.asAdmin('PATCH', '/fail2ban', { bantime: null })).body.data.bantime).toBe(1200);
    expect(await running.asAdmin('POST', '/api-keys', { description: null })).toMatchObject({ status: 400 });
  });

  test('any other unknown field is ignored and named in a warning', async () => {
    const { status, body } = await running.asAdmin('PATCH', '/fail2ban', { colour: 'red', 'a\nb': 1 });
    expect(status).toBe(200);
    expect(body.messages.warning).toEqual([
      'colour: unknown field, ignored',
      'a\\nb: unknown field, ignored',
    ]);
  });

  test('prototype keys are unknown fields like any other', async () => {
    const { body: before } = await running.asAdmin('GET', '/fail2ban');
    const body = '{"__proto__":{"maxretry":1},"constructor":{"prototype":{"maxretry":1}},"hasOwnProperty":1}';
    const answer = await running.asAdmin('PATCH', '/fail2ban', body);
    expect(answer.body.data).toEqual(before.data);
    expect(answer.body.messages.warning.map((text: string) => text.split(':')[0])).toEqual([
      '__proto__',
      'constructor',
      'hasOwnProperty',
    ]);
    expect(({} as { maxretry?: number }).maxretry).toBeUndefined();
    const rules = '{"network":"10.0.0.0","subnet":8,"currentRules":{"__proto__":{"action":true}}}';
    expect(await running.asAdmin('POST', '/firewall', rules)).toMatchObject({ status: 400 });
    const grants = '{"description":"x","allowed_paths":{"__proto__":"read"}}';
    expect(await running.asAdmin('POST', '/api-keys', grants)).toMatchObject({ status: 400 });
  });
});
