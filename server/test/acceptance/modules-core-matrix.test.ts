import { describe, expect, test } from 'vitest';
import { readJsonBody } from '../../src/http/body.ts';
import { describeFailure } from '../../src/http/failure.ts';
import { fullPath, type Level, type Route } from '../../src/http/route.ts';
import { createRouter } from '../../src/http/router.ts';
import { parseManifest } from '../../src/module-host/description/manifest.ts';
import { createCoreAccess } from '../../src/module-host/questions/core-access.ts';
import { writableNames } from '../../src/module-host/questions/core-rights.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useApp } from './use-app.ts';

/** Each word of `reads` as levels of a key. */
const READS: Readonly<Record<string, readonly string[]>> = {
  employees: ['employees'],
  providers: ['sip-providers'],
  calls: ['cdr', 'pbx-status'],
  statuses: ['sip'],
  bans: [],
};
const NEVER = ['/api/v3/api-keys', '/api/v3/modules'];
const IDS = ['999999', 'Nobody', 'SIP-TRUNK-00000000', 'nothing-like-it'];

interface Outcome {
  readonly status: number;
  readonly reasons: readonly string[];
}

describe('a core request of a module is answered like that of a key with the same levels', () => {
  const running = useApp();
  /** A module can only name paths below the API root, which pages are not. */
  const routes = () => running.app.app.routes.filter((route) => fullPath(route).startsWith('/pbxcore/'));

  function asking(declared: { reads?: string[]; writes?: string[] }) {
    const manifest = parseManifest(JSON.stringify(manifestOf('Matrix', declared)), '9999.1');
    const router = createRouter(routes());
    const core = createCoreAccess({
      routes,
      router: () => router,
      callerLimit: { spend() {} },
      onWritten() {},
    }).of(manifest);
    const how = { during: undefined, isGone: () => false, charge() {}, chargeJson() {} };
    return async (verb: string, path: string, query: object = {}): Promise<Outcome> => {
      try {
        const { status } = (await core.request([verb, path, query, '{}'], how)) as { status: number };
        return { status, reasons: [] };
      } catch (error) {
        return describeFailure(error);
      }
    };
  }

  async function asKey(key: string, verb: string, path: string): Promise<Outcome> {
    const hasBody = verb !== 'GET' && verb !== 'HEAD';
    const url = `/..${path}`.replace('/../pbxcore/api', '/..');
    const answer = await running.app.call(verb, url, { key, ...(hasBody && { body: {} }) });
    return { status: answer.status, reasons: answer.body?.messages?.error ?? [] };
  }

  const aimOf = (route: Route): string =>
    fullPath(route).replace('{id}', IDS.find((id) => route.id?.pattern.test(id)) ?? 'x');

  /** The status for routes that a key may call but a module may not; refused before anything happens. */
  function refusedAnyway({ access, produces, answer, bare, events, accepts }: Route): number | undefined {
    if (access.kind !== 'resource' || NEVER.includes(access.resource.path)) return 403;
    if (bare || events || (produces && !answer)) return 403;
    try {
      readJsonBody(Buffer.from('{}'), accepts ?? {});
      return undefined;
    } catch {
      return 415;
    }
  }

  async function compare(declared: { reads?: string[]; writes?: string[] }, grants: Record<string, Level>) {
    const ask = asking(declared);
    const key = await running.keyFor(grants);
    const wrong: string[] = [];
    let compared = 0;
    for (const route of routes()) {
      const path = aimOf(route);
      const mine = await ask(route.method, path);
      const level = route.access.kind === 'resource' ? grants[route.access.resource.path] : undefined;
      const isHeld =
        level === 'write' || (level === 'read' && (route.access as { level: Level }).level === 'read');
      compared++;
      const anyway = refusedAnyway(route);
      if (anyway !== undefined || !isHeld) {
        const due = isHeld ? anyway : 403;
        if (mine.status !== due) wrong.push(`${route.method} ${path}: ${mine.status} instead of ${due}`);
        continue;
      }
      const theirs = await asKey(key, route.method, path);
      if (mine.status !== theirs.status || String(mine.reasons) !== String(theirs.reasons))
        wrong.push(`${route.method} ${path}: ${JSON.stringify(mine)} instead of ${JSON.stringify(theirs)}`);
    }
    return { wrong, compared };
  }

  test('every route answers alike with each right a manifest can declare, with none and with all', async () => {
    const names = writableNames(routes());
    const written = (list: string[]) =>
      Object.fromEntries(list.map((name) => [`/api/v3/${name}`, 'write' as const]));
    const sets: [{ reads?: string[]; writes?: string[] }, Record<string, Level>][] = [
      [{}, {}],
      [{ writes: names }, written(names)],
      ...names.map((name): (typeof sets)[number] => [{ writes: [name] }, written([name])]),
      ...Object.entries(READS).map(([read, paths]): (typeof sets)[number] => [
        { reads: [read] },
        Object.fromEntries(paths.map((name) => [`/api/v3/${name}`, 'read'])),
      ]),
    ];
    const wrong: string[] = [];
    let compared = 0;
    for (const [declared, grants] of sets) {
      const outcome = await compare(declared, grants);
      compared += outcome.compared;
      wrong.push(...outcome.wrong.map((line) => `${JSON.stringify(declared)} ${line}`));
    }
    console.log(`${sets.length} declarations, ${routes().length} routes: ${compared} requests compared`);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(3000);
  });

  test('a manifest can declare writes on every resource except those that would raise its rights', async () => {
    const { body } = await running.asAdmin('GET', '/openapi:getSimplifiedPermissions');
    const resources: Record<string, { endpoints: { write: string[] } }> = body.data.resources;
    const due = Object.keys(resources).filter(
      (path) => (resources[path]?.endpoints.write.length ?? 0) > 0 && !NEVER.includes(path),
    );
    expect(writableNames(routes()).map((name) => `/api/v3/${name}`)).toEqual(due.sort());
    expect(writableNames(routes())).toContain('employees');
  });

  test('no spelling of a path reaches API keys, modules or other closed routes', async () => {
    const ask = asking({ writes: writableNames(routes()), reads: Object.keys(READS) });
    const spellings = [
      '/api-keys',
      '/modules',
      '/modules/Matrix:disable',
      '/auth:login',
      '/system:backup',
      '/events',
    ].flatMap((path) => [
      path,
      `${path}/`,
      `/${path}`,
      `/.${path}`,
      `/employees/..${path}`,
      `/employees/%2e%2e${path}`,
      `/employees%2f..%2f${path.slice(1)}`,
      `/employees\\..${path}`,
      `/employees/../..${path}`,
      `/../v3${path}`,
      `/%2e%2e/v3${path}`,
      path.toUpperCase(),
      path.replace('s', '%73'),
      path.replace('a', '%61'),
      path.replace(':', '%3a'),
      `${path}?x=1`,
      `${path}#x`,
      `${path};x=1`,
      `${path}%00`,
      `${path}\0`,
      `/employees\r\nHost: other\r\n\r\nGET ${path}`,
      `http://127.0.0.1:${running.app.port}/pbxcore/api/v3${path}`,
      `//127.0.0.1:${running.app.port}/pbxcore/api/v3${path}`,
      `/pbxcore/api/v3${path}`,
      `/pbxcore/api/v3/../v3${path}`,
      `/pbxcore/api/modules${path}`,
      `/pbxcore/api${path}`,
      path.slice(1),
    ]);
    const reached: string[] = [];
    let tried = 0;
    for (const path of [...spellings, '', '/', '*', '/'.repeat(20_000), '/employees/'.repeat(500)])
      for (const verb of [
        'GET',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'HEAD',
        'OPTIONS',
        'get',
        'GET /api-keys HTTP/1.1',
        '',
      ]) {
        tried++;
        const { status } = await ask(verb, path);
        if (![400, 403, 404, 405].includes(status)) reached.push(`${verb} ${path.slice(0, 80)}: ${status}`);
      }
    console.log(`${tried} hostile spellings refused`);
    expect(reached).toEqual([]);
    const query = { __proto__: 'x', limit: '1', constructor: 'y' };
    expect((await ask('GET', '/employees', query)).status).toBe(200);
    for (const bad of [{ limit: null }, { limit: ['1'] }, [1], { search: 'x'.repeat(20_000) }])
      expect((await ask('GET', '/employees', bad)).status).toBe(400);
  });
});
