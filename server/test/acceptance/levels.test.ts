import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

const STREAM = '/firewall-bouncer/v1/decisions/stream';

/** Contract 14.5, with existing resources. */
const VECTORS: [grant: Record<string, string>, allowed: string[], refused: string[]][] = [
  [
    { '/api/v3/firewall-bouncer': 'read' },
    [
      `GET ${STREAM}`,
      `HEAD ${STREAM}`,
      'GET /firewall-bouncer/v1/whitelist',
      'GET /firewall-bouncer/v1/decisions',
      'HEAD /firewall-bouncer/v1/decisions',
      'POST /firewall-bouncer/v1/usage-metrics',
    ],
    ['GET /firewall', 'GET /network-filters', 'GET /fail2ban', 'GET /api-keys'],
  ],
  [
    { '/api/v3/firewall': 'read' },
    [
      'GET /firewall',
      'GET /firewall:explain?ip=192.0.2.1',
      'GET /firewall:getBannedIps',
      'GET /firewall:getDefault',
    ],
    [
      'POST /firewall:unbanIp',
      'POST /firewall',
      'DELETE /firewall/1',
      `GET ${STREAM}`,
      'GET /network-filters',
    ],
  ],
  [
    { '/api/v3/firewall': 'write' },
    ['GET /firewall', 'POST /firewall:enable', 'POST /firewall:unbanIp', 'DELETE /firewall/999999'],
    ['GET /network-filters', 'GET /fail2ban', `GET ${STREAM}`],
  ],
  [{ '/api/v3/fail2ban': 'write' }, ['GET /fail2ban', 'PUT /fail2ban', 'PATCH /fail2ban'], ['GET /firewall']],
  [{ '/api/v3/fail2ban': 'read' }, ['GET /fail2ban'], ['PUT /fail2ban', 'PATCH /fail2ban']],
  [
    { '/api/v3/api-keys': 'read' },
    ['GET /api-keys', 'GET /api-keys:getDefault'],
    ['POST /api-keys', 'POST /api-keys:generateKey'],
  ],
  [
    { '/api/v3/network-filters': 'write' },
    ['GET /network-filters', 'GET /network-filters:getForSelect'],
    ['GET /firewall'],
  ],
  [
    {},
    ['GET /openapi:getSpecification', 'GET /system:checkAuth'],
    ['GET /firewall', 'GET /api-keys', `GET ${STREAM}`],
  ],
];

describe.each(availablePairs)('contract 2.4 and 14.5: levels and path scope on $name', ({ open }) => {
  const running = useApp(open);
  const statusOf = async (request: string, key: string) => {
    const [method = '', path = ''] = request.split(' ');
    return (await running.call(method, path, { key })).status;
  };

  test.each(VECTORS)('%j opens %j and not %j', async (grant, allowed, refused) => {
    const key = await running.keyFor(grant);
    for (const request of allowed)
      expect([200, 201, 400, 404], request).toContain(await statusOf(request, key));
    for (const request of refused)
      expect({ request, status: await statusOf(request, key) }).toEqual({ request, status: 403 });
  });

  test('full_permissions opens every resource, even without a grant', async () => {
    const key = await running.keyFor({}, { full_permissions: true });
    for (const request of VECTORS.flatMap(([, allowed, refused]) => [...allowed, ...refused])) {
      expect([200, 201, 400, 404], request).toContain(await statusOf(request, key));
    }
  });

  test('a path without a route is 404, not 403', async () => {
    for (const path of [
      '/cdr-archive',
      '/firewall/1%2F2',
      '/firewall%3AgetBannedIps',
      '/firewall-bouncer',
      '/firewall/v1/decisions',
    ]) {
      expect(await statusOf(`GET ${path}`, await running.keyFor({})), path).toBe(404);
    }
  });

  test.each([
    '/api/v3/firewall-bouncer/v1',
    '/api/v3/firewall-bounce',
    '/api/v3/firewall-bouncer-x',
    '/api/v3/fire',
    '/api/v4/firewall-bouncer',
  ])('the grant is an exact string: %s does not open the bouncer', async (path) => {
    expect(await statusOf(`GET ${STREAM}`, await running.keyFor({ [path]: 'write' }))).toBe(403);
  });

  test('the grant is compared with the declared path, never with the URL text', async () => {
    const key = await running.keyFor({ '/api/v3/firewall': 'read' });
    expect(await statusOf('GET /firewall/', key)).toBe(200);
    expect(await statusOf('GET /fire%77all', key)).toBe(200);
    expect(await statusOf(`GET ${STREAM}?x=/api/v3/firewall`, key)).toBe(403);
  });

  test('a changed grant takes effect at the next request', async () => {
    const { id, key } = await running.app.createKey({ allowed_paths: { '/api/v3/firewall': 'read' } });
    expect(await statusOf('POST /firewall:enable', key)).toBe(403);
    await running.asAdmin('PATCH', `/api-keys/${id}`, { allowed_paths: { '/api/v3/firewall': 'write' } });
    expect(await statusOf('POST /firewall:enable', key)).toBe(200);
    await running.asAdmin('PATCH', `/api-keys/${id}`, { allowed_paths: {} });
    expect(await statusOf('GET /firewall', key)).toBe(403);
  });

  test('the verb decides the level of every route except usage metrics', () => {
    const wrong = running.app.app.routes.filter(({ access, method }) => {
      if (access.kind !== 'resource') return false;
      return access.level !== (['GET', 'HEAD'].includes(method) ? 'read' : 'write');
    });
    expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /firewall-bouncer/v1/usage-metrics',
    ]);
  });

  test('resources have the labels and levels of the table', () => {
    const resources = running.app.app.routes.flatMap(({ access }) =>
      access.kind === 'resource' ? [access.resource] : [],
    );
    const table = Object.fromEntries(
      resources.map(({ path, label, levels }) => [path, `${label}: ${levels.join(', ')}`]),
    );
    expect(table).toMatchObject({
      '/api/v3/api-keys': 'API Keys: read, write',
      '/api/v3/fail2ban': 'Fail2Ban: read, write',
      '/api/v3/firewall': 'Firewall: read, write',
      '/api/v3/firewall-bouncer': 'Firewall bouncer: read',
      '/api/v3/network-filters': 'Network Filters: read',
    });
  });
});
