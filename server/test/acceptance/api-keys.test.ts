import { describe, expect, test } from 'vitest';
import { AS_SPECIFIED } from '../../src/lib/bouncer-options.ts';
import { createOutsider } from '../outsider.ts';
import { availablePairs, useApp } from './use-app.ts';

const STREAM = '/firewall-bouncer/v1/decisions/stream';
const BOUNCER = { '/api/v3/firewall-bouncer': 'read' };
const OWN_KEY = 'a-key-of-my-own:0123456789/abcdef';

describe.each(availablePairs)('contract 2.7: /api-keys on $name', ({ name, open }) => {
  const running = useApp(open);
  const create = (fields: object = {}) =>
    running.asAdmin('POST', '/api-keys', { description: 'test', ...fields });
  const created = async (fields: object = {}) => (await create(fields)).body.data;
  const read = async (id: string) => (await running.asAdmin('GET', `/api-keys/${id}`)).body.data;

  test('a create without key generates one and returns it once', async () => {
    const { status, body } = await create({ description: 'fresh', allowed_paths: BOUNCER });
    expect(status).toBe(201);
    const { key, snippets: _, ...rest } = body.data;
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(rest).toEqual({
      id: expect.stringMatching(/^\d+$/),
      description: 'fresh',
      key_display: `${key.slice(0, 5)}...${key.slice(-5)}`,
      has_key: true,
      full_permissions: false,
      allowed_paths: BOUNCER,
      allowed_paths_count: 1,
      networkfilterid: 'none',
      has_network_filter: false,
      networkfilter_represent: expect.any(String),
      represent: expect.any(String),
      created_at: '2026-05-04 10:11:12',
      last_used_at: '',
      client: '',
      bouncer_options: AS_SPECIFIED,
      bouncer: expect.objectContaining({ state: 'never' }),
    });
    expect(await read(rest.id)).toEqual(rest);
  });

  test('a key sent by the client is never echoed, and works', async () => {
    const { body, text } = await create({ key: OWN_KEY, allowed_paths: BOUNCER });
    expect(body.data).toMatchObject({ key_display: 'a-key...bcdef', has_key: true });
    expect(text).not.toContain(OWN_KEY);
    expect(body.data).not.toHaveProperty('key');
    expect(await running.call('GET', STREAM, { key: OWN_KEY })).toMatchObject({ status: 200 });
  });

  test('a key that looks like a JWT still works as a key', async () => {
    const key = 'eyJhbGciOiJIUzI1NiJ9.e30.0123456789abcdef';
    await create({ key, allowed_paths: BOUNCER });
    expect(await running.call('GET', STREAM, { token: key })).toMatchObject({ status: 200 });
    expect(await running.call('GET', STREAM, { key })).toMatchObject({ status: 200 });
  });

  test('a key taken by another record is 409', async () => {
    const key = 'k'.repeat(32);
    expect(await create({ key })).toMatchObject({ status: 201 });
    expect(await create({ key })).toMatchObject({ status: 409 });
    const { id } = await created();
    expect(await running.asAdmin('PATCH', `/api-keys/${id}`, { key })).toMatchObject({ status: 409 });
  });

  test.each([
    'x'.repeat(31),
    'x'.repeat(256),
    `${'x'.repeat(40)} `,
    `a b${'x'.repeat(40)}`,
    `ü${'x'.repeat(40)}`,
    5,
  ])('the key %j is 400: 32..255 printable characters without space', async (key) => {
    expect(await create({ key })).toMatchObject({ status: 400 });
  });

  test('PATCH with a key replaces the old one, which fails at the next request', async () => {
    const { id, key } = await created({ allowed_paths: BOUNCER });
    const next = 'replaced-0123456789-0123456789-01';
    const { body, text } = await running.asAdmin('PATCH', `/api-keys/${id}`, { key: next });
    expect(body.data.key_display).toBe('repla...89-01');
    expect(text).not.toContain(next);
    expect(await running.call('GET', STREAM, { key })).toMatchObject({ status: 401 });
    expect(await running.call('GET', STREAM, { key: next })).toMatchObject({ status: 200 });
  });

  test('PUT without key keeps it, PUT and create need a description', async () => {
    const { id, key } = await created({ allowed_paths: BOUNCER });
    expect(await running.asAdmin('PUT', `/api-keys/${id}`, { allowed_paths: BOUNCER })).toMatchObject({
      status: 400,
    });
    const put = await running.asAdmin('PUT', `/api-keys/${id}`, { description: 'put' });
    expect(put.body.data).toMatchObject({ description: 'put', allowed_paths: {}, networkfilterid: 'none' });
    expect(await running.call('GET', '/system:checkAuth', { key })).toMatchObject({ status: 200 });
    expect(await running.asAdmin('POST', '/api-keys', {})).toMatchObject({ status: 400 });
    expect(await create({ description: 'x'.repeat(256) })).toMatchObject({ status: 400 });
  });

  test('PATCH changes only what was sent', async () => {
    const { id } = await created({
      description: 'before',
      allowed_paths: BOUNCER,
      networkfilterid: 'localhost',
    });
    await running.asAdmin('PATCH', `/api-keys/${id}`, { description: 'after' });
    expect(await read(id)).toMatchObject({
      description: 'after',
      allowed_paths: BOUNCER,
      networkfilterid: 'localhost',
    });
    expect((await running.asAdmin('PATCH', `/api-keys/${id}`, {})).status).toBe(200);
  });

  test('a deleted key fails at the next request, and its id is never used again', async () => {
    const { id, key } = await created({ allowed_paths: BOUNCER });
    expect(await running.call('GET', STREAM, { key })).toMatchObject({ status: 200 });
    expect(await running.asAdmin('DELETE', `/api-keys/${id}`)).toMatchObject({ status: 200 });
    expect(await running.call('GET', STREAM, { key })).toMatchObject({ status: 401 });
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      expect(await running.asAdmin(method, `/api-keys/${id}`)).toMatchObject({ status: 404 });
    }
    expect(Number((await created()).id)).toBeGreaterThan(Number(id));
  });

  test.runIf(name.includes('Redis'))('deletion removes the cursor of the key', async () => {
    const { id, key } = await created({ allowed_paths: BOUNCER });
    await running.call('GET', STREAM, { key });
    const exists = () => createOutsider(running.stores).redis('EXISTS', `pbxcore:fwbouncer:cursor:${id}`);
    await expect.poll(exists).toBe(1);
    await running.asAdmin('DELETE', `/api-keys/${id}`);
    expect(await exists()).toBe(0);
  });

  test(':generateKey gives 64 hex digits, stores nothing; :getDefault an unsaved record', async () => {
    const count = async () => (await running.asAdmin('GET', '/api-keys')).body.data.length;
    const before = await count();
    const { body } = await running.asAdmin('POST', '/api-keys:generateKey');
    expect(body.data.key).toMatch(/^[0-9a-f]{64}$/);
    expect((await running.asAdmin('GET', '/api-keys:getDefault')).body.data).toEqual({
      id: '',
      description: '',
      full_permissions: false,
      allowed_paths: {},
      networkfilterid: 'none',
      client: '',
      bouncer_options: AS_SPECIFIED,
    });
    expect(await count()).toBe(before);
  });

  test('allowed_paths may be an object or the same as JSON text', async () => {
    expect((await created({ allowed_paths: JSON.stringify(BOUNCER) })).allowed_paths).toEqual(BOUNCER);
    expect((await created()).allowed_paths).toEqual({});
  });

  test.each([
    [{ '/api/v3/a': 'read' } as unknown, 'shorter than 10'],
    [{ [`/api/v3/${'a'.repeat(248)}`]: 'read' }, 'longer than 255'],
    [{ '/pbxcore/api/v3/firewall': 'read' }, 'with /pbxcore'],
    [{ '/api/v3/Firewall': 'read' }, 'capital letters'],
    [{ '/api/v3/firewall/': 'read' }, 'a trailing slash'],
    [{ '/api/v3//firewall': 'read' }, 'an empty segment'],
    [{ '/api/vx/firewall': 'read' }, 'no version'],
    [{ '/api/v3/firewall*': 'read' }, 'a wildcard'],
    [{ '/api/v3/firewall\n': 'read' }, 'a line break'],
    [{ '/api/v3/firewall': 'admin' }, 'another level'],
    [{ '/api/v3/firewall': 'READ' }, 'a level in capitals'],
    [{ '/api/v3/firewall': true }, 'a level of another type'],
    [['/api/v3/firewall'], 'an array'],
    ['[]', 'an array as text'],
    ['{broken', 'broken text'],
    [7, 'a number'],
  ])('allowed_paths %j is 400: %s', async (allowed_paths) => {
    const { status, body } = await create({ allowed_paths });
    expect(status).toBe(400);
    expect(body.messages.error[0]).toMatch(/^allowed_paths: /);
  });

  test('a well-formed path that no route declares now is stored with a warning', async () => {
    const allowed_paths = { '/api/v3/module-demo/tasks': 'write', ...BOUNCER };
    const { status, body } = await create({ allowed_paths });
    expect({ status, stored: body.data.allowed_paths }).toEqual({ status: 201, stored: allowed_paths });
    expect(body.messages.warning).toEqual([expect.stringContaining('/api/v3/module-demo/tasks')]);
  });

  test('full_permissions drops allowed_paths with a warning, and leaves it out of answers', async () => {
    const { status, body } = await create({ full_permissions: true, allowed_paths: BOUNCER });
    expect(status).toBe(201);
    expect(body.messages.warning).toHaveLength(1);
    expect(body.data).toMatchObject({ full_permissions: true, allowed_paths_count: 0 });
    expect(body.data).not.toHaveProperty('allowed_paths');
    const back = await running.asAdmin('PATCH', `/api-keys/${body.data.id}`, { full_permissions: false });
    expect(back.body.data.allowed_paths).toEqual({});
  });

  test('networkfilterid is a row id, none or localhost; an id without a row is 400', async () => {
    const filter = (
      await running.asAdmin('POST', '/firewall', { network: '10.0.0.0', subnet: 8, description: 'Office' })
    ).body.data;
    expect(await created({ networkfilterid: filter.id })).toMatchObject({
      networkfilterid: filter.id,
      has_network_filter: true,
      networkfilter_represent: expect.stringContaining('Office'),
    });
    expect((await created({ networkfilterid: Number(filter.id) })).networkfilterid).toBe(filter.id);
    expect((await created({ networkfilterid: 'localhost' })).has_network_filter).toBe(true);
    for (const networkfilterid of ['999999', 'None', '', '-1', '1.5', '99999999999', 'x', true, {}]) {
      expect(await create({ networkfilterid }), String(networkfilterid)).toMatchObject({ status: 400 });
    }
    expect(await running.asAdmin('DELETE', `/firewall/${filter.id}`), 'in use').toMatchObject({
      status: 409,
    });
  });

  test('the list is ordered by description, without allowed_paths and networkfilterid', async () => {
    for (const description of ['zz 2', 'zz 10', 'zz 1']) await create({ description });
    const { body } = await running.asAdmin('GET', '/api-keys');
    const names: string[] = body.data.map((item: { description: string }) => item.description);
    expect(names.filter((name) => name.startsWith('zz'))).toEqual(['zz 1', 'zz 10', 'zz 2']);
    for (const item of body.data) {
      expect(item).not.toHaveProperty('allowed_paths');
      expect(item).not.toHaveProperty('networkfilterid');
      expect(item).not.toHaveProperty('key');
    }
  });

  test('last_used_at and bouncer show the last use, in the time zone of the PBX', async () => {
    const { id, key } = await created({ allowed_paths: BOUNCER });
    await running.app.call('GET', STREAM, {
      key,
      headers: { 'user-agent': 'crowdsec-firewall-bouncer/v0.0.31' },
    });
    await running.call('POST', '/firewall-bouncer/v1/usage-metrics', { key, body: { a: 1 } });
    const record = await read(id);
    expect(record.last_used_at).toMatch(/^2026-05-04 10:11:12$/);
    expect(record.bouncer).toMatchObject({
      last_poll_at: '2026-05-04 10:11:12',
      last_poll_ip: '127.0.0.1',
      user_agent: 'crowdsec-firewall-bouncer/v0.0.31',
      last_metrics_at: '2026-05-04 10:11:12',
    });
  });

  test('only a keyed hash is stored', async () => {
    const { key } = await created();
    const stored = JSON.stringify(await createOutsider(running.stores).sql('select * from api_keys'));
    expect(stored).not.toContain(key);
    expect(stored).not.toContain(key.slice(6, 40));
  });
});
