import { describe, expect, test } from 'vitest';
import { useApp } from './use-app.ts';

const KEYS = { '/api/v3/api-keys': 'write' };

describe('contract 2.7: a key may not create or edit a key to hold more than itself', () => {
  const running = useApp();
  const manager = (more: object = {}) => running.keyFor({ ...KEYS, '/api/v3/firewall': 'read', ...more });
  const create = async (key: string, fields: object) =>
    (await running.call('POST', '/api-keys', { key, body: { description: 'made', ...fields } })).status;

  test('what it holds itself it can give', async () => {
    const key = await manager();
    expect(await create(key, {})).toBe(201);
    expect(await create(key, { allowed_paths: { '/api/v3/firewall': 'read' } })).toBe(201);
    expect(await create(key, { allowed_paths: KEYS })).toBe(201);
    expect(await create(key, { allowed_paths: { '/api/v3/api-keys': 'read' } }), 'write includes read').toBe(
      201,
    );
  });

  test('a higher level, another resource, an unknown path or full permissions are 403', async () => {
    const key = await manager();
    expect(await create(key, { allowed_paths: { '/api/v3/firewall': 'write' } })).toBe(403);
    expect(await create(key, { allowed_paths: { '/api/v3/fail2ban': 'read' } })).toBe(403);
    expect(await create(key, { allowed_paths: { '/api/v3/module-demo/tasks': 'read' } })).toBe(403);
    expect(await create(key, { full_permissions: true })).toBe(403);
    expect(await create(key, { full_permissions: 'true', allowed_paths: {} })).toBe(403);
  });

  test('neither by PUT nor by PATCH, of others or of itself', async () => {
    const key = await manager();
    const own = (await running.call('GET', '/system:checkAuth', { key })).body.data.keyId;
    const { id } = await running.app.createKey({ allowed_paths: { '/api/v3/firewall': 'read' } });
    for (const target of [own, id]) {
      for (const method of ['PUT', 'PATCH']) {
        const body = { description: 'x', full_permissions: true };
        expect((await running.call(method, `/api-keys/${target}`, { key, body })).status).toBe(403);
      }
    }
  });

  test('a stronger key is not taken over by replacing its secret', async () => {
    const key = await manager();
    const { id, key: strong } = await running.app.createKey({ full_permissions: true });
    const body = { key: 'stolen-0123456789-0123456789-0123' };
    expect((await running.call('PATCH', `/api-keys/${id}`, { key, body })).status).toBe(403);
    expect((await running.call('GET', '/firewall', { key: strong })).status).toBe(200);
    expect((await running.call('GET', '/firewall', body)).status).toBe(401);
  });

  test('a key with full permissions and a person can give everything', async () => {
    const full = await running.keyFor({}, { full_permissions: true });
    expect(await create(full, { full_permissions: true })).toBe(201);
    expect(
      await running.asAdmin('POST', '/api-keys', { description: 'x', full_permissions: true }),
    ).toMatchObject({ status: 201 });
  });

  test('a refused create stores nothing', async () => {
    const key = await manager();
    const count = async () => (await running.asAdmin('GET', '/api-keys')).body.data.length;
    const before = await count();
    await create(key, { full_permissions: true });
    expect(await count()).toBe(before);
  });
});
