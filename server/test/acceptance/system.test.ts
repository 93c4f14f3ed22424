import { describe, expect, test } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { useApp } from './use-app.ts';

describe('contract 10: system', () => {
  const running = useApp();

  test('system:ping is public and answers with an empty object, under both addresses', async () => {
    expect(await running.call('GET', '/system:ping')).toMatchObject({
      status: 200,
      body: { result: true, data: {} },
    });
    const old = await fetch(`${running.app.origin}/pbxcore/api/system/ping`);
    expect({ status: old.status, body: await old.json() }).toMatchObject({
      status: 200,
      body: { result: true, data: {} },
    });
  });

  test('system:checkAuth returns version and kind of the credential, with the id of a key or the login', async () => {
    const { id, key } = await running.app.createKey({ allowed_paths: {} });
    expect((await running.call('GET', '/system:checkAuth', { key })).body.data).toEqual({
      version: VERSION,
      authType: 'api_key',
      keyId: id,
    });
    expect((await running.asAdmin('GET', '/system:checkAuth')).body.data).toEqual({
      version: VERSION,
      authType: 'jwt',
      login: 'admin',
    });
    expect(await running.call('GET', '/system:checkAuth')).toMatchObject({ status: 401 });
  });

  test('openapi:getSimplifiedPermissions lists each resource with label, levels and endpoints', async () => {
    const { data } = (await running.asAdmin('GET', '/openapi:getSimplifiedPermissions')).body;
    expect(data.resources['/api/v3/firewall-bouncer']).toEqual({
      path: '/api/v3/firewall-bouncer',
      label: 'Firewall bouncer',
      description: expect.any(String),
      available_actions: ['read'],
      endpoints: {
        read: expect.arrayContaining(['GET /api/v3/firewall-bouncer/v1/decisions/stream']),
        write: [],
      },
    });
    expect(data.resources['/api/v3/firewall'].endpoints.write).toContain('POST /api/v3/firewall:banIp');
    expect(data.resources['/api/v3/firewall'].available_actions).toEqual(['read', 'write']);
    expect(data.action_descriptions).toEqual({ read: expect.any(String), write: expect.any(String) });
  });

  test('every route with a level is listed once, in the permissions of its resource', async () => {
    const { resources } = (await running.asAdmin('GET', '/openapi:getSimplifiedPermissions')).body.data;
    const listed = Object.values<{ endpoints: { read: string[]; write: string[] } }>(resources).flatMap(
      ({ endpoints }) => [...endpoints.read, ...endpoints.write],
    );
    const declared = running.app.app.routes
      .filter(({ access }) => access.kind === 'resource')
      .map(({ method, path }) => `${method} /api/v3${path}`);
    expect(listed.sort()).toEqual(declared.sort());
  });

  test('openapi:getDetailedPermissions groups them by category, with the permission name firewall_bouncer', async () => {
    const { categories } = (await running.asAdmin('GET', '/openapi:getDetailedPermissions')).body.data;
    expect(categories.AdminCabinet).toEqual({ type: 'APP', controllers: {} });
    expect(categories.PBX_CORE_REST.type).toBe('REST');
    expect(categories.PBX_CORE_REST.controllers['/api/v3/firewall-bouncer']).toEqual({
      name: 'firewall_bouncer',
      label: 'Firewall bouncer',
      actions: ['read'],
    });
  });

  test('/health is open, /metrics is for administrators', async () => {
    const ask = async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(running.app.origin + path, { headers })).status;
    expect(await ask('/health')).toBe(200);
    expect(await ask('/metrics')).toBe(401);
    expect(await ask('/metrics', { 'x-api-key': (await running.app.createKey()).key })).toBe(403);
    expect(await ask('/metrics', { authorization: `Bearer ${await running.app.admin()}` })).toBe(200);
  });
});

describe('contract 13: versions', () => {
  const running = useApp();

  test('the service version is YYYY.M.N, at least 2026.1.76', () => {
    const [year = 0, month = 0, number = 0] = VERSION.split('.').map(Number);
    expect(VERSION).toMatch(/^\d{4}\.([1-9]|1[0-2])\.\d+$/);
    expect(year * 10_000_000 + month * 100_000 + number).toBeGreaterThanOrEqual(
      2026 * 10_000_000 + 100_000 + 76,
    );
  });

  test('the two keys of the stream and the seven of a decision are fixed', async () => {
    await running.asAdmin('POST', '/firewall:banIp', { ip: '203.0.113.7', seconds: 600 });
    const { body } = await running.asAdmin('GET', '/firewall-bouncer/v1/decisions/stream');
    expect(Object.keys(body)).toEqual(['new', 'deleted']);
    expect(Object.keys(body.new[0])).toEqual([
      'id',
      'origin',
      'type',
      'scope',
      'value',
      'duration',
      'scenario',
    ]);
  });

  test('no route is deprecated yet; one would have to send Deprecation and Sunset', async () => {
    const { text } = await running.asAdmin('GET', '/openapi:getSpecification');
    expect(text).not.toContain('"deprecated":true');
  });
});
