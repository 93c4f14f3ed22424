import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { createOutsider } from '../outsider.ts';
import { rawRequest } from './raw-http.ts';
import { availablePairs, useApp } from './use-app.ts';

const MANAGER = { '/api/v3/api-keys': 'write', '/api/v3/firewall': 'write' };
const SECRET = 'stolen-0123456789-0123456789-0123';

describe.each(availablePairs)('contract 17.4: no key makes itself stronger, on $name', ({ open }) => {
  const running = useApp(open);
  /** A filter that admits the test; only its identity matters. */
  const makeFilter = async (): Promise<string> =>
    (await running.asAdmin('POST', '/firewall', { network: '127.0.0.0', subnet: 8 })).body.data.id;
  const makeKey = (fields: object) => running.app.createKey(fields);
  const bound = (networkfilterid: string, allowed_paths: object = MANAGER) =>
    makeKey({ allowed_paths, networkfilterid });
  const stored = async (id: string) => (await running.asAdmin('GET', `/api-keys/${id}`)).body.data;
  const status = async (method: string, path: string, key: string, body?: object) =>
    (await running.call(method, path, { key, ...(body && { body }) })).status;

  test('a bound key cannot unbind itself or move to another filter', async () => {
    const filter = await makeFilter();
    const other = await makeFilter();
    const { id, key } = await bound(filter);
    for (const networkfilterid of ['none', 'localhost', other, '999999']) {
      expect(await status('PATCH', `/api-keys/${id}`, key, { networkfilterid }), networkfilterid).toBe(403);
      const body = { description: 'x', allowed_paths: MANAGER, networkfilterid };
      expect(await status('PUT', `/api-keys/${id}`, key, body), networkfilterid).toBe(403);
    }
    const withoutFilter = { description: 'x', allowed_paths: MANAGER };
    expect(await status('PUT', `/api-keys/${id}`, key, withoutFilter), 'PUT means none').toBe(403);
    expect(await stored(id)).toMatchObject({ networkfilterid: filter, description: 'test' });
  });

  test('a key made by a bound key inherits the binding; another binding is 403', async () => {
    const filter = await makeFilter();
    const other = await makeFilter();
    for (const binding of [filter, 'localhost']) {
      const { key } = await bound(binding);
      const defaults = (await running.call('GET', '/api-keys:getDefault', { key })).body.data;
      expect(defaults.networkfilterid).toBe(binding);
      const made = await running.call('POST', '/api-keys', { key, body: { description: 'made' } });
      expect(made).toMatchObject({ status: 201, body: { data: { networkfilterid: binding } } });
      const same = { description: 'made', networkfilterid: binding };
      expect(await status('POST', '/api-keys', key, same)).toBe(201);
      const before = (await running.asAdmin('GET', '/api-keys')).body.data.length;
      for (const networkfilterid of ['none', 'localhost', filter, other, '999999']) {
        if (networkfilterid === binding) continue;
        expect(await status('POST', '/api-keys', key, { description: 'made', networkfilterid })).toBe(403);
      }
      expect((await running.asAdmin('GET', '/api-keys')).body.data, 'nothing stored').toHaveLength(before);
    }
    const { key } = await makeKey({ allowed_paths: MANAGER });
    const unbound = await running.call('POST', '/api-keys', { key, body: { description: 'made' } });
    expect(unbound).toMatchObject({ status: 201, body: { data: { networkfilterid: 'none' } } });
  });

  test('full permissions do not help a bound key', async () => {
    const filter = await makeFilter();
    const { id, key } = await makeKey({ full_permissions: true, networkfilterid: filter });
    expect(await status('PATCH', `/api-keys/${id}`, key, { networkfilterid: 'none' })).toBe(403);
    const body = { description: 'x', full_permissions: true, networkfilterid: 'none' };
    expect(await status('POST', '/api-keys', key, body)).toBe(403);
    expect(await status('PATCH', `/firewall/${filter}`, key, { subnet: 0 })).toBe(403);
    const { id: unbound } = await makeKey({});
    expect(await status('DELETE', `/api-keys/${unbound}`, key)).toBe(403);
  });

  test('a key cannot change, open or delete the filter it is bound to, only others', async () => {
    const filter = await makeFilter();
    const other = await makeFilter();
    const { key } = await bound(filter);
    const whole = { network: '0.0.0.0', subnet: 0, deny: '' };
    const before = (await running.asAdmin('GET', `/firewall/${filter}`)).body.data;
    for (const body of [{ subnet: 0 }, { deny: '' }, { newer_block_ip: true }, { description: 'x' }, {}]) {
      expect(await status('PATCH', `/firewall/${filter}`, key, body), JSON.stringify(body)).toBe(403);
    }
    expect(await status('PUT', `/firewall/${filter}`, key, whole)).toBe(403);
    expect(await status('DELETE', `/firewall/${filter}`, key)).toBe(403);
    expect((await running.asAdmin('GET', `/firewall/${filter}`)).body.data).toEqual(before);
    expect(await status('PUT', `/firewall/${other}`, key, whole)).toBe(200);
    expect(await status('DELETE', `/firewall/${other}`, key)).toBe(200);
    const unbound = await running.keyFor(MANAGER);
    expect(await status('PATCH', `/firewall/${filter}`, unbound, { subnet: 16 })).toBe(200);
    expect((await running.asAdmin('PATCH', `/firewall/${filter}`, { subnet: 8 })).status).toBe(200);
  });

  test('a weak key cannot replace, rename, weaken or revoke a stronger one', async () => {
    const filter = await makeFilter();
    const weak = await running.keyFor(MANAGER);
    const boundManager = (await bound(filter)).key;
    const stronger: [string, { id: string; key: string }][] = [
      [weak, await makeKey({ full_permissions: true })],
      [weak, await makeKey({ full_permissions: true, networkfilterid: filter })],
      [weak, await makeKey({ allowed_paths: { '/api/v3/fail2ban': 'read' } })],
      [weak, await makeKey({ allowed_paths: { '/api/v3/module-none/here': 'read' } })],
      [boundManager, await makeKey({ allowed_paths: {} })],
      [boundManager, await makeKey({ allowed_paths: {}, networkfilterid: 'localhost' })],
      [boundManager, await makeKey({ allowed_paths: {}, networkfilterid: await makeFilter() })],
    ];
    for (const [caller, { id, key }] of stronger) {
      const before = await stored(id);
      const changes = [
        { key: SECRET },
        { description: 'x' },
        { full_permissions: false, allowed_paths: {}, networkfilterid: filter },
      ];
      for (const body of changes) expect(await status('PATCH', `/api-keys/${id}`, caller, body)).toBe(403);
      expect(await status('PUT', `/api-keys/${id}`, caller, { description: 'x' })).toBe(403);
      expect(await status('DELETE', `/api-keys/${id}`, caller)).toBe(403);
      expect(await stored(id)).toEqual(before);
      expect(await status('GET', '/system:checkAuth', key)).toBe(200);
      expect(await status('GET', '/system:checkAuth', SECRET)).toBe(401);
    }
  });

  test('a key may rename, replace, weaken and revoke itself and its equals', async () => {
    const filter = await makeFilter();
    for (const networkfilterid of ['none', 'localhost', filter]) {
      const [one, equal] = [await bound(networkfilterid), await bound(networkfilterid)];
      let { key } = one;
      for (const id of [equal.id, one.id]) {
        expect(await status('PATCH', `/api-keys/${id}`, key, { description: 'renamed' })).toBe(200);
        const secret = `replaced-${networkfilterid}-${id}-0123456789-0123456789`;
        expect(await status('PATCH', `/api-keys/${id}`, key, { key: secret })).toBe(200);
        if (id === one.id) key = secret;
        const allowed_paths = { '/api/v3/api-keys': 'write' };
        expect(await status('PATCH', `/api-keys/${id}`, key, { allowed_paths })).toBe(200);
        expect(await status('DELETE', `/api-keys/${id}`, key)).toBe(200);
        expect(await status('GET', '/system:checkAuth', secret)).toBe(401);
      }
    }
  });

  test('a filter that another tool deleted does not prevent other changes of a key', async () => {
    const filter = await makeFilter();
    const { id } = await bound(filter);
    await createOutsider(running.stores).sql(`delete from "m_NetworkFilters" where id = ${filter}`);
    const renamed = await running.asAdmin('PATCH', `/api-keys/${id}`, { description: 'x' });
    expect(renamed).toMatchObject({ status: 200, body: { data: { networkfilterid: filter } } });
    const sent = await running.asAdmin('PATCH', `/api-keys/${id}`, { networkfilterid: filter });
    expect(sent).toMatchObject({ status: 400 });
    expect(sent.text).toContain('networkfilterid');
  });

  describe('with concurrent requests', () => {
    const ROUNDS = 40;

    test('a key that is made stronger at the same moment cannot be revoked by a weak one', async () => {
      const key = await running.keyFor(MANAGER);
      for (let i = 0; i < ROUNDS; i++) {
        const { id } = await makeKey({ allowed_paths: {} });
        const [raised, revoked] = await Promise.all([
          running.asAdmin('PATCH', `/api-keys/${id}`, { full_permissions: true }),
          running.call('DELETE', `/api-keys/${id}`, { key }),
        ]);
        // Whichever comes first makes the other one fail.
        expect(['200 403', '404 200']).toContain(`${raised.status} ${revoked.status}`);
        const { status: found } = await running.asAdmin('GET', `/api-keys/${id}`);
        expect(found).toBe(raised.status);
      }
    });

    test('a change of one field does not undo what another request changed', async () => {
      const key = await running.keyFor(MANAGER);
      for (let i = 0; i < ROUNDS; i++) {
        const { id } = await makeKey({ allowed_paths: MANAGER });
        const [weakened] = await Promise.all([
          running.asAdmin('PATCH', `/api-keys/${id}`, { allowed_paths: {}, networkfilterid: 'localhost' }),
          running.call('PATCH', `/api-keys/${id}`, { key, body: { description: `round ${i}` } }),
        ]);
        expect(weakened.status).toBe(200);
        expect(await stored(id)).toMatchObject({
          allowed_paths: {},
          networkfilterid: 'localhost',
          description: `round ${i}`,
        });
      }
    });

    /** Sends a request whose body follows only after `meanwhile`, when its key has already been admitted. */
    async function withLateBody(
      [method, path, body]: [string, string, object],
      { id, key }: { id: string; key: string },
      meanwhile: () => Promise<{ status: number }>,
    ): Promise<number> {
      const text = JSON.stringify(body);
      const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json', Connection: 'close' };
      const request = rawRequest(method, `/pbxcore/api/v3${path}`, headers, text);
      const socket = connect({ port: running.app.port, host: '127.0.0.1' });
      socket.write(request.slice(0, -1));
      await eventually(async () => expect((await stored(id)).last_used_at).not.toBe(''));
      expect((await meanwhile()).status).toBe(200);
      socket.write(request.slice(-1));
      const chunks: Buffer[] = [];
      for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
      return Number(Buffer.concat(chunks).toString('latin1').split(' ')[1]);
    }
    const create: [string, string, object] = ['POST', '/api-keys', { description: 'late' }];
    const late = async () =>
      (await running.asAdmin('GET', '/api-keys')).body.data.filter(
        ({ description }: { description: string }) => description === 'late',
      );

    test('a key that is revoked or replaced before the body arrives creates no key', async () => {
      const revoked = await makeKey({ allowed_paths: MANAGER });
      const revoke = () => running.asAdmin('DELETE', `/api-keys/${revoked.id}`);
      expect(await withLateBody(create, revoked, revoke)).toBe(401);
      const replaced = await makeKey({ allowed_paths: MANAGER });
      const replace = () => running.asAdmin('PATCH', `/api-keys/${replaced.id}`, { key: `${SECRET}-late` });
      expect(await withLateBody(create, replaced, replace)).toBe(401);
      expect(await late()).toEqual([]);
    });

    test('a key that is bound or weakened before the body arrives acts with its new rights', async () => {
      const filter = await makeFilter();
      const binding = { networkfilterid: filter };
      const one = await makeKey({ allowed_paths: MANAGER });
      const bind = (id: string) => () => running.asAdmin('PATCH', `/api-keys/${id}`, binding);
      expect(await withLateBody(create, one, bind(one.id))).toBe(201);
      const [{ id }] = await late();
      expect(await stored(id)).toMatchObject(binding);
      const two = await makeKey({ allowed_paths: MANAGER });
      const open: [string, string, object] = ['PATCH', `/firewall/${filter}`, { subnet: 0 }];
      expect(await withLateBody(open, two, bind(two.id))).toBe(403);
      expect((await running.asAdmin('GET', `/firewall/${filter}`)).body.data.permit).toBe('127.0.0.0/8');
      const three = await makeKey({ full_permissions: true });
      const weaken = () => running.asAdmin('PATCH', `/api-keys/${three.id}`, { full_permissions: false });
      const giveAll: [string, string, object] = [
        'POST',
        '/api-keys',
        { ...create[2], full_permissions: true },
      ];
      expect(await withLateBody(giveAll, three, weaken)).toBe(403);
    });
  });
});
