import { describe, expect, test } from 'vitest';
import { DEMO, manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';

const FAR = { 'x-forwarded-for': '192.0.2.1' };

describe('contract 9.2: channels', () => {
  // A caller that comes through the proxy is remote; one without a forwarded address is local.
  const running = useModules({
    settings: { PBXCORE_TRUSTED_PROXIES: '192.0.2.254' },
    write: (dir) => dir.write(manifestOf('Demo'), DEMO),
    enable: ['Demo'],
  });

  test('a local caller passes the localhost channel only without a credential', async () => {
    const { status, body } = await running.call('GET', '/module-demo/status');
    expect(status).toBe(200);
    expect(body.data[0]).toMatchObject({ channel: 'localhost', caller: null, address: '127.0.0.1' });
    expect((await running.call('GET', '/module-demo/status', { token: 'None' })).status).toBe(401);
    const key = await running.keyFor({ '/api/v3/module-demo/status': 'read' });
    const known = await running.call('GET', '/module-demo/status', { key });
    expect(known.body.data[0]).toMatchObject({ channel: 'bearer_token', caller: { kind: 'api_key' } });
  });

  test('a module receives request headers, but never credentials', async () => {
    const key = await running.keyFor({ '/api/v3/module-demo/status': 'read' });
    const headers = { cookie: 'refreshToken=1', 'proxy-authorization': 'Basic x', 'x-signature': 'abc' };
    const { body } = await running.call('GET', '/module-demo/status', { key, headers });
    const names = Object.keys(body.data[0].headers);
    for (const name of ['authorization', 'x-api-key', 'cookie', 'proxy-authorization'])
      expect(names).not.toContain(name);
    expect(body.data[0].headers['x-signature']).toBe('abc');
  });

  test('public needs no credential and ignores one; channels of an operation replace those of its resource', async () => {
    for (const more of [{}, { token: 'nonsense' }, { key: 'x' }]) {
      const { status, body } = await running.call('POST', '/module-demo/status:hook', {
        body: { a: 1 },
        ...more,
      });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ got: { a: 1 }, channel: 'public' });
      expect(body.data.headers['x-api-key']).toBeUndefined();
      expect(body.data.headers.authorization).toBeUndefined();
    }
  });

  test('a route only for local callers refuses any token, valid or not', async () => {
    expect((await running.call('GET', '/module-demo/status:local')).status).toBe(200);
    expect((await running.asAdmin('GET', '/module-demo/status:local')).status).toBe(403);
    expect((await running.call('GET', '/module-demo/status:local', { token: 'x' })).status).toBe(401);
  });

  test('a grant opens exactly the declared resource (contract 14.5)', async () => {
    const modules = await running.keyFor({ '/api/v3/modules': 'write' });
    expect((await running.call('GET', '/module-demo/tasks', { key: modules })).status).toBe(403);
    const read = await running.keyFor({ '/api/v3/module-demo/tasks': 'read' });
    expect((await running.call('GET', '/module-demo/tasks', { key: read })).status).toBe(200);
    expect((await running.call('GET', '/module-demo/tasks/5:download', { key: read })).status).toBe(404);
    expect(
      (await running.call('POST', '/module-demo/tasks', { key: read, body: { title: 'x' } })).status,
    ).toBe(403);
    expect((await running.call('GET', '/module-demo/status', { key: read })).status).toBe(403);
    const ancestor = await running.keyFor({ '/api/v3/module-demo': 'write' });
    expect((await running.call('GET', '/module-demo/tasks', { key: ancestor })).status).toBe(403);
  });

  test('the routes of a module are in the OpenAPI document and in the permission catalogue', async () => {
    const { body: document } = await running.asAdmin('GET', '/openapi:getSpecification');
    const hook = document.paths['/pbxcore/api/v3/module-demo/status:hook'].post;
    expect(hook.security).toEqual([]);
    expect(hook.description).toContain('Public');
    expect(document.paths['/pbxcore/api/v3/module-demo/status'].get.security[0]).toEqual({});
    expect(Object.keys(document.paths['/pbxcore/api/v3/module-demo/tasks/{id}'])).toEqual([
      'get',
      'put',
      'patch',
      'delete',
    ]);
    const ids = Object.values(
      document.paths as Record<string, Record<string, { operationId: string }>>,
    ).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(ids.length);

    const { body: simple } = await running.asAdmin('GET', '/openapi:getSimplifiedPermissions');
    expect(simple.data.resources['/api/v3/module-demo/tasks']).toMatchObject({
      label: 'Demo tasks',
      available_actions: ['read', 'write'],
    });
    expect(simple.data.resources['/api/v3/module-demo/tasks'].endpoints.write).toContain(
      'POST /api/v3/module-demo/tasks',
    );
    const { categories } = (await running.asAdmin('GET', '/openapi:getDetailedPermissions')).body.data;
    expect(categories.Demo.controllers['/api/v3/module-demo/tasks']).toEqual({
      name: 'Demo tasks',
      label: 'Demo tasks',
      actions: ['read', 'write'],
    });
    expect(Object.keys(categories.PBX_CORE_REST.controllers)).not.toContain('/api/v3/module-demo/tasks');
  });

  test('a grant on a path that a module publishes gives no warning', async () => {
    const body = {
      description: 'k',
      allowed_paths: { '/api/v3/module-demo/tasks': 'read', '/api/v3/module-none/x': 'read' },
    };
    const { body: answer } = await running.asAdmin('POST', '/api-keys', body);
    expect(answer.messages.warning).toHaveLength(1);
    expect(answer.messages.warning[0]).toContain('module-none');
  });
});

describe('contract 9.2: localhost behind a proxy', () => {
  const running = useModules({
    settings: { PBXCORE_TRUSTED_PROXIES: '127.0.0.1' },
    write: (dir) => dir.write(manifestOf('Demo'), DEMO),
    enable: ['Demo'],
  });

  test('a remote caller is not local, and neither is a proxy that hides its client', async () => {
    expect((await running.call('GET', '/module-demo/status', { headers: FAR })).status).toBe(401);
    expect((await running.call('GET', '/module-demo/status')).status).toBe(401);
    const near = { 'x-forwarded-for': '::1' };
    expect((await running.call('GET', '/module-demo/status', { headers: near })).status).toBe(401);
  });
});
