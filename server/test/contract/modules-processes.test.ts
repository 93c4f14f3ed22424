import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { type ModulesDir, makeModulesDir, manifestOf } from '../module-fixtures.ts';
import { modulePids, moduleProcesses } from '../real/module-processes.ts';
import { type ServiceProcess, startService } from '../real/pbxcore-process.ts';

const API = '/pbxcore/api/v3';
/** A module that answers, hangs in a call, computes for ever, or does what `more` says. */
const code = (id: string, more = '') => `
export default { ${more} resources: [{ path: '${API}/module-${id}/x', permission: 'x', channels: ['localhost'],
  list: () => ['fine'],
  actions: [
    { name: 'hang', verb: 'GET', handle: () => new Promise(() => {}) },
    { name: 'work', verb: 'GET', handle: () => { setInterval(() => { for (const until = Date.now() + 900; Date.now() < until; ); }, 901); } },
    { name: 'pool', verb: 'GET', handle: () => { const go = () => process.getBuiltinModule('crypto').pbkdf2('a', 'b', 3e5, 64, 'sha512', go); for (let n = 0; n < 4; n++) go(); } },
    { name: 'loop', verb: 'GET', handle: () => { for (;;); } },
    { name: 'sql', verb: 'GET', handle: (call, { sql }) => sql.get('select 1 as one') },
  ] }] };`;

describe('ADR 51: modules and the process of the service', () => {
  let folder: string;
  let dir: ModulesDir;
  let service: ServiceProcess;
  let token: string;

  beforeAll(async () => {
    dir = await makeModulesDir();
    await dir.write(manifestOf('Quiet'), code('quiet'));
    await dir.write(
      manifestOf('Awake'),
      code('awake', 'start: (c) => { c.schedule.every(60000, () => {}); },'),
    );
  });
  afterAll(() => dir.remove());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pbxcore-processes-'));
    await start();
    for (const id of ['Quiet', 'Awake'])
      expect((await send('POST', `/modules/${id}:enable`)).status).toBe(200);
  });
  afterEach(async () => {
    await service.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    service = await startService({
      PBXCORE_DATA_DIR: folder,
      PBXCORE_ADMIN_PASSWORD: 'only-for-this-test',
      ...dir.settings,
    });
    const { body } = await send('POST', '/auth:login', { login: 'admin', password: 'only-for-this-test' });
    token = body.data.accessToken;
  }

  async function send(method: string, path: string, sent?: object) {
    const answer = await fetch(`${service.origin}${API}${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(sent && { 'content-type': 'application/json' }),
      },
      ...(sent && { body: JSON.stringify(sent) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: whatever it says
    return { status: answer.status, body: (await answer.json()) as any };
  }
  const call = async (path: string) => (await fetch(`${service.origin}${API}${path}`)).status;
  const modules = (pid = service.pid) => moduleProcesses(pid);

  test('a module that only waits for calls has no process after a start, until it is called', async () => {
    expect(await modules()).toEqual(['pbxcore module Awake', 'pbxcore module Quiet']);
    expect((await service.end('SIGTERM')).code).toBe(0);
    await start();
    await eventually(async () => expect(await modules()).toEqual(['pbxcore module Awake']));
    const { body } = await send('GET', '/modules/Quiet');
    expect(body.data.endpoints).toHaveLength(6);
    expect(await Promise.all([call('/module-quiet/x'), call('/module-quiet/x')])).toEqual([200, 200]);
    expect(await modules()).toEqual(['pbxcore module Awake', 'pbxcore module Quiet']);
    expect(await call('/module-quiet/x:sql')).toBe(200);
    expect(await modules()).toContain('pbxcore module Quiet sql');
  });

  test('a module with changed files is loaded again', async () => {
    expect((await service.end('SIGTERM')).code).toBe(0);
    await dir.write(manifestOf('Quiet'), code('quiet', 'stop() {},'));
    await start();
    await eventually(async () => expect(await modules()).toContain('pbxcore module Quiet'));
  });

  test('a module that fills a whole processor in pieces runs at a lower priority', async () => {
    expect(await call('/module-quiet/x:work')).toBe(200);
    const pid = (await modulePids(service.pid)).get('pbxcore module Quiet') as number;
    expect(getPriority(service.pid)).toBe(getPriority());
    await eventually(async () => expect(getPriority(pid)).toBe(10));
    expect(await call('/module-quiet/x')).toBe(200);
  });

  test('a module that computes outside its own thread also runs at a lower priority', async () => {
    expect(await call('/module-quiet/x:pool')).toBe(200);
    const pid = (await modulePids(service.pid)).get('pbxcore module Quiet') as number;
    const priorities = () => readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread)));
    expect(priorities().length).toBeGreaterThan(4);
    await eventually(() => expect(new Set(priorities())).toEqual(new Set([10])));
    expect(await call('/module-quiet/x')).toBe(200);
  });

  test('SIGTERM ends service and modules in time, whatever they do', async () => {
    for (const path of ['/module-quiet/x:loop', '/module-awake/x:hang'])
      void fetch(`${service.origin}${API}${path}`).catch(() => {});
    await eventually(async () =>
      expect(
        JSON.parse(await readFile(join(folder, 'module-data/calls-under-way.json'), 'utf8')).underWay,
      ).toHaveLength(2),
    );
    const { pid } = service;
    const began = performance.now();
    expect((await service.end('SIGTERM')).code).toBe(0);
    console.log(`ended after ${(performance.now() - began).toFixed(0)} ms`);
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(await modules(pid)).toEqual([]);
    expect(existsSync(join(folder, 'module-data/calls-under-way.json'))).toBe(false);
  });

  test('a module handling a call when the exchange died is named, and disabled after the third time', async () => {
    for (let end = 1; end <= 3; end++) {
      void fetch(`${service.origin}${API}/module-awake/x:hang`).catch(() => {});
      await eventually(async () =>
        expect(await readFile(join(folder, 'module-data/calls-under-way.json'), 'utf8')).toContain(
          '"underWay":["Awake"]',
        ),
      );
      await service.end('SIGKILL');
      await start();
      await eventually(() =>
        expect(service.output()).toMatch(
          /"module":"Awake".*it was at a call when the exchange ended unexpectedly/,
        ),
      );
      if (end < 3) await eventually(async () => expect(await call('/module-awake/x')).toBe(200));
    }
    await eventually(async () => {
      const { body } = await send('GET', '/modules/Awake');
      expect(body.data).toMatchObject({ disabled: true, disableReason: 'DisabledByCrashLoop' });
    });
    expect((await send('GET', '/modules/Quiet')).body.data.disabled).toBe(false);
  });

  test('SIGUSR1 does not open the debugger of the service', async () => {
    process.kill(service.pid, 'SIGUSR1');
    expect((await send('GET', '/modules')).status).toBe(200);
    const { code: exit, stderr } = await service.end('SIGTERM');
    expect(exit).toBe(0);
    expect(stderr).not.toContain('Debugger');
  });
});
