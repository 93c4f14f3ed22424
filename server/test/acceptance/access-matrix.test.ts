import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resourceOf } from '../../src/http/permissions.ts';
import { fullPath, type Level, type Route } from '../../src/http/route.ts';
import { answerCounts, answeredBetween } from '../answer-counts.ts';
import { eventually } from '../eventually.ts';
import { ADMIN_PASSWORD } from '../make-app.ts';
import { DEMO, type ModulesDir, makeModulesDir, manifestOf, manifestOfOlder } from '../module-fixtures.ts';
import { sendAndReset } from '../resetting-client.ts';
import { rawRequest, sendRaw } from './raw-http.ts';
import { useApp } from './use-app.ts';

type Who =
  | 'nobody'
  | 'bad key'
  | 'read key'
  | 'write key'
  | 'foreign key'
  | 'key without grant'
  | 'full key'
  | 'person';
const EVERYBODY: Who[] = [
  'nobody',
  'bad key',
  'read key',
  'write key',
  'foreign key',
  'key without grant',
  'full key',
  'person',
];

/** The result that the declared access promises by contract 2.1 to 2.4: 401, 403, or in. */
function expected({ access }: Route, who: Who): 401 | 403 | 'in' {
  if (access.kind === 'public') return 'in';
  if (access.kind === 'channels' && access.channels.includes('public')) return 'in';
  if (who === 'nobody' || who === 'bad key') return 401;
  if (who === 'foreign key') return 403;
  if (who === 'person' && access.kind !== 'channels') return 'in';
  // Only for callers on this machine; these are remote.
  if (access.kind === 'channels' && !access.channels.includes('bearer_token')) return 403;
  switch (access.kind) {
    case 'any-credential':
      return 'in';
    case 'session':
      return 403;
    case 'administrator':
      return who === 'full key' ? 'in' : 403;
    case 'channels':
      if (who === 'full key' || who === 'person') return 'in';
      if (!access.resource) return 403;
      if (who === 'write key') return 'in';
      return who === 'read key' && access.level === 'read' ? 'in' : 403;
    case 'resource':
      if (who === 'full key' || who === 'write key') return 'in';
      return who === 'read key' && access.level === 'read' ? 'in' : 403;
  }
}

const MODULES = ['Demo', 'Callback', 'Table'];
async function writeModules(modules: ModulesDir): Promise<void> {
  await modules.write(manifestOf('Demo'), DEMO);
  const actions = `actions: ['one', 'two'], callback: () => ({})`;
  await modules.write(manifestOfOlder('Callback', 1), `export default { ${actions} };`);
  const rows = `['C', 'm', '/pbxcore/api/table/{x}', 'GET', '/'], ['C', 'm', '/pbxcore/api/table', 'POST', '/open', true]`;
  const table = `export default { controllers: { C: { m: () => ({}) } }, routes: [${rows}] };`;
  await modules.write(manifestOfOlder('Table', 2, { channels: ['localhost'] }), table);
}

function pathOf(route: Route): string {
  // The id of a real module would let a request disable it and remove its routes during the test.
  const id =
    ['999999', 'SIP-TRUNK-999999', 'NoSuchModule'].find((one) => route.id?.pattern.test(one)) ?? 'no id fits';
  return fullPath(route)
    .replace('{id}', id)
    .replace(/\{\w+\}/, 'x');
}

/** An admitted empty request finds its record missing or its fields invalid. A refresh without token is always 401. */
function keeps(promise: 401 | 403 | 'in', route: Route, status: number | undefined): boolean {
  if (promise !== 'in') return status === promise;
  return (
    [200, 201, 302, 304, 400, 404, 422].includes(Number(status)) ||
    (route.path === '/auth:refresh' && status === 401)
  );
}

describe('contract 2: who may call what, for every declared route', () => {
  // Requests come from 192.0.2.1; the foreign key is bound to another network.
  const settings: Record<string, string> = { PBXCORE_TRUSTED_PROXIES: '127.0.0.1' };
  let modules: ModulesDir;
  beforeAll(async () => {
    modules = await makeModulesDir();
    settings.PBXCORE_MODULES_DIR = modules.path;
    await writeModules(modules);
  });
  afterAll(() => modules?.remove());
  const running = useApp(undefined, settings);
  const headers = { 'x-forwarded-for': '192.0.2.1' };
  const keys = new Map<string, string>();
  const resources = (): string[] => [
    ...new Set(running.app.app.routes.flatMap(({ access }) => resourceOf(access)?.path ?? [])),
  ];
  const grantAll = (level: Level, except?: string) =>
    Object.fromEntries(
      resources()
        .filter((path) => path !== except)
        .map((path) => [path, level]),
    );

  beforeAll(async () => {
    for (const id of MODULES) {
      expect((await running.asAdmin('POST', `/modules/${id}:enable`)).status).toBe(200);
    }
    const filter = await running.asAdmin('POST', '/firewall', { network: '198.51.100.0', subnet: 24 });
    keys.set('full key', await running.keyFor({}, { full_permissions: true }));
    const foreign = { full_permissions: true, networkfilterid: filter.body.data.id };
    const make = async (name: string, grants: Record<string, string>, fields?: object) =>
      keys.set(name, await running.keyFor(grants, fields));
    await Promise.all(
      ['', ...resources()].flatMap((path) => [
        make(`read key ${path}`, path ? { [path]: 'read' } : {}),
        make(`write key ${path}`, path ? { [path]: 'write' } : {}),
        make(`key without grant ${path}`, path ? grantAll('write', path) : {}),
        make(`foreign key ${path}`, {}, foreign),
      ]),
    );
  });

  async function login(): Promise<string> {
    const body = { login: 'admin', password: ADMIN_PASSWORD };
    return (await running.call('POST', '/auth:login', { body })).body.data.accessToken;
  }
  let person: Promise<string> | undefined;
  /** One login serves all routes except those that may end the session, because checking a password is slow. */
  function tokenOf({ access }: Route): Promise<string> {
    if (access.kind === 'session') return login();
    person ??= login();
    return person;
  }

  async function credential(who: Who, route: Route): Promise<Record<string, string>> {
    if (who === 'nobody') return {};
    if (who === 'bad key') return { 'x-api-key': 'nobody-ever-made-this-key-0123456789' };
    if (who === 'person') return { authorization: `Bearer ${await tokenOf(route)}` };
    const resource = resourceOf(route.access)?.path ?? '';
    const key = keys.get(who === 'full key' ? who : `${who} ${resource}`);
    if (!key) throw new Error(`no ${who} for ${resource}`);
    return { 'x-api-key': key };
  }

  async function statusOf(route: Route, who: Who): Promise<number> {
    const sent = { ...headers, ...(await credential(who, route)) };
    // Each over its own connection: on a busy machine the service closes hundreds of connections idling in a pool.
    const asking = request(running.app.origin + pathOf(route), {
      agent: false,
      method: route.method,
      headers: sent,
    });
    const [response] = (await once(asking.end(), 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode as number;
  }

  test.each(EVERYBODY)('%s', async (who) => {
    const wrong: string[] = [];
    const { routes } = running.app.app;
    const statuses = await Promise.all(routes.map((route) => statusOf(route, who)));
    for (const [i, route] of routes.entries()) {
      const status = statuses[i] as number;
      const promise = expected(route, who);
      if (!keeps(promise, route, status)) {
        wrong.push(`${route.method} ${route.path}: ${status} instead of ${promise}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('the matrix is not empty and contains modules of all generations', () => {
    const ofModules = running.app.app.routes.filter(({ dialect }) => dialect?.hasSuccess).map(fullPath);
    for (const path of ['v3/module-demo/tasks/{id}', 'modules/Callback/one', 'table/{x}', 'table/open'])
      expect(ofModules).toContain(`/pbxcore/api/${path}`);
    expect(running.app.app.routes.length).toBeGreaterThan(30);
    expect(resources().length).toBeGreaterThanOrEqual(5);
  });
});

describe('contract 17.2 and 17.3: access by caller address, for every declared route', () => {
  const settings: Record<string, string> = {};
  let modules: ModulesDir;
  beforeAll(async () => {
    modules = await makeModulesDir();
    settings.PBXCORE_MODULES_DIR = modules.path;
    await writeModules(modules);
  });
  afterAll(() => modules?.remove());
  const running = useApp(undefined, settings);
  let localKey: string;
  beforeAll(async () => {
    for (const id of MODULES) {
      expect((await running.asAdmin('POST', `/modules/${id}:enable`)).status).toBe(200);
    }
    localKey = await running.keyFor({}, { full_permissions: true, networkfilterid: 'localhost' });
  });

  /** A local caller without a credential is admitted to routes with that channel, and is anonymous elsewhere. */
  function expectedHere(route: Route, place: Place, hasKey: boolean): 401 | 403 | 'in' {
    const { access } = route;
    if (hasKey) return expected(route, place === 'elsewhere' ? 'foreign key' : 'full key');
    if (access.kind !== 'channels' || !access.channels.includes('localhost'))
      return expected(route, 'nobody');
    const isLetIn = place === 'here' || (place === 'page here' && !access.ownPagesOnly);
    return isLetIn ? 'in' : expected(route, 'nobody');
  }
  type Place = 'here' | 'page here' | 'elsewhere';
  /** All requests come from loopback. */
  const WHERE: [where: string, headers: Record<string, string>, place: Place][] = [
    ['a program on this machine', {}, 'here'],
    [
      'a page of this machine',
      { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'same-site' },
      'page here',
    ],
    ['a proxy that says for whom', { 'X-Forwarded-For': '127.0.0.1' }, 'elsewhere'],
    ['a proxy that says it the other way', { Forwarded: 'for=127.0.0.1' }, 'elsewhere'],
    ['a proxy that says only that it is one', { Via: '1.1 proxy' }, 'elsewhere'],
    ['another name of the host', { Host: 'rebind.attacker.example' }, 'elsewhere'],
    ['a page of another site', { Origin: 'https://attacker.example' }, 'elsewhere'],
    ['an image on another site', { 'Sec-Fetch-Site': 'cross-site' }, 'elsewhere'],
  ];

  test.each(WHERE)('%s', async (_, headers, place) => {
    const wrong: string[] = [];
    const check = async (route: Route, key: string | undefined) => {
      const all = { ...headers, Connection: 'close', ...(key && { 'X-Api-Key': key }) };
      const [answer] = await sendRaw(running.app.port, rawRequest(route.method, pathOf(route), all));
      const promise = expectedHere(route, place, key !== undefined);
      if (!keeps(promise, route, answer?.status))
        wrong.push(`${route.method} ${route.path}: ${answer?.status} instead of ${promise}`);
    };
    const { routes } = running.app.app;
    await Promise.all(routes.flatMap((route) => [check(route, undefined), check(route, localKey)]));
    expect(wrong).toEqual([]);
  });

  test.each([
    ['nobody', 401],
    ['a person', 401],
    ['a key without filter', 401],
    ['a key with a filter', 403],
  ])('a caller whose address is unknown, %s', async (who, promise) => {
    const token = who === 'a person' && (await running.app.admin());
    const key =
      (who === 'a key without filter' && (await running.keyFor({}, { full_permissions: true }))) ||
      (who === 'a key with a filter' && localKey);
    const headers = {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(key && { 'X-Api-Key': key }),
    };
    const { routes } = running.app.app;
    const before = await answerCounts(running.app);
    sendAndReset(
      running.app.port,
      routes.map((route) => rawRequest(route.method, pathOf(route), headers)),
    );
    const told = ({ method, path, countedAs = path }: Route) => `${method} ${countedAs} ${promise}`;
    const refusals = [...Map.groupBy(routes, told)].map(([refusal, { length }]) => [refusal, length]);
    await eventually(async () => {
      const answered = answeredBetween(before, await answerCounts(running.app));
      // The request that reads the counts.
      answered.delete('GET /metrics 200');
      expect([...answered].sort()).toEqual(refusals.sort());
    });
  });
});
