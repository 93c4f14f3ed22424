import { describe, expect, test } from 'vitest';
import { useApp } from './use-app.ts';

const KEYS = { '/api/v3/api-keys': 'write' };

describe('contract 2.7: a key may not create or edit a key that holds more than itself', () => {
  const running = useApp();
  const manager = (more: object = {}) => running.keyFor({ ...KEYS, '/api/v3/firewall': 'read', ...more });
  const create = async (key: string, fields: object) =>
    (await running.call('POST', '/api-keys', { key, body: { description: 'made', ...fields } })).status;

  test('a key can grant what it holds itself', async () => {
    const key = await manager();
    expect(await create(key, {})).toBe(201);
    expect(await create(key, { allowed_paths: { '/api/v3/firewall': 'read' } })).toBe(201);
    expect(await create(key, { allowed_paths: KEYS })).toBe(201);
    expect(await create(key, { allowed_paths: { '/api/v3/api-keys': 'read' } }), 'write includes read').toBe(
      201,
    );
  });

  test('granting a higher level, another resource, an unknown path or full permissions is 403', async () => {
    const key = await manager();
    expect(await create(key, { allowed_paths: { '/api/v3/firewall': 'write' } })).toBe(403);
    expect(await create(key, { allowed_paths: { '/api/v3/fail2ban': 'read' } })).toBe(403);
    expect(await create(key, { allowed_paths: { '/api/v3/module-demo/tasks': 'read' } })).toBe(403);
    expect(await create(key, { full_permissions: true })).toBe(403);
    expect(await create(key, { full_permissions: 'true', allowed_paths: {} })).toBe(403);
  });

  test('PUT and PATCH cannot grant full permissions, neither to another key nor to itself', async () => {
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

  test('a key cannot replace the secret of a stronger key', async () => {
    const key = await manager();
    const { id, key: strong } = await running.app.createKey({ full_permissions: true });
    const body = { key: 'stolen-0123456789-0123456789-0123' };
    expect((await running.call('PATCH', `/api-keys/${id}`, { key, body })).status).toBe(403);
    expect((await running.call('GET', '/firewall', { key: strong })).status).toBe(200);
    expect((await running.call('GET', '/firewall', body)).status).toBe(401);
  });

  test('a key with full permissions can grant everything, and so can a person', async () => {
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
