import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { type ModulesDir, makeModulesDir, manifestOf } from '../module-fixtures.ts';
import { moduleProcesses } from '../real/module-processes.ts';
import { defectOnSignal, pbxcore, type ServiceProcess, startService } from '../real/pbxcore-process.ts';

const API = '/pbxcore/api/v3';
const PASSWORD = 'only-for-this-test';

describe('ADR 51: modules that were active when the exchange died', () => {
  let folder: string;
  let dir: ModulesDir;
  let settings: Record<string, string>;
  let service: ServiceProcess;
  let token = '';

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pbxcore-suspects-'));
    dir = await makeModulesDir();
    settings = { PBXCORE_DATA_DIR: folder, PBXCORE_ADMIN_PASSWORD: PASSWORD, ...dir.settings };
  });
  afterEach(async () => {
    await service.end('SIGKILL');
    await dir.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(more: Record<string, string> = {}): Promise<void> {
    service = await startService({ ...settings, ...more });
    token = '';
    const { body } = await send('POST', '/auth:login', { login: 'admin', password: PASSWORD });
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
  const write = (id: string, start: string) =>
    dir.write(manifestOf(id), `export default { resources: [], start: (c) => ${start} };`);
  async function enable(...ids: string[]): Promise<void> {
    for (const id of ids) expect((await send('POST', `/modules/${id}:enable`)).status).toBe(200);
  }
  const hasProcess = (id: string) =>
    eventually(async () => expect(await moduleProcesses(service.pid)).toContain(`pbxcore module ${id}`));
  const isNamed = (id: string, doing: string) =>
    eventually(() =>
      expect(service.output()).toMatch(
        new RegExp(`"module":"${id}".*it was ${doing} when the exchange ended unexpectedly`),
      ),
    );
  const isCrashLoop = (id: string) =>
    eventually(async () =>
      expect((await send('GET', `/modules/${id}`)).body.data).toMatchObject({
        disabled: true,
        disableReason: 'DisabledByCrashLoop',
      }),
    );
  /** The notes that the service would leave behind if it ended now. */
  function noted() {
    try {
      return JSON.parse(readFileSync(join(folder, 'module-data/calls-under-way.json'), 'utf8'));
    } catch {
      return undefined;
    }
  }
  const atWork = () => noted()?.doing;
  const isOn = async (id: string) => !(await send('GET', `/modules/${id}`)).body.data.disabled;

  test('a module that was starting is named, and disabled after the third time', async () => {
    await write('Sound', 'c.schedule.every(60000, () => {})');
    await write('Deadly', 'new Promise(() => {})');
    await start();
    await enable('Sound');
    void send('POST', '/modules/Deadly:enable').catch(() => {});
    for (let end = 1; end <= 3; end++) {
      await hasProcess('Deadly');
      // Its supervised start is as deadly as the others.
      await service.end('SIGKILL');
      await start();
      await isNamed('Deadly', end === 1 ? 'starting' : '(starting|under watch)');
    }
    await isCrashLoop('Deadly');
    expect((await send('GET', '/modules/Deadly')).body.data.disableReasonText).toContain('starting');
    expect(await isOn('Sound')).toBe(true);
  });

  test('a module that was calling the exchange by itself is named, and disabled after the third time', async () => {
    await write('Sound', 'c.schedule.every(60000, () => {})');
    await write('Asks', 'c.schedule.every(50, () => c.store.set("x", 1))');
    await start();
    await enable('Sound', 'Asks');
    for (let end = 1; end <= 3; end++) {
      await hasProcess('Asks');
      await eventually(() => expect(atWork()).toEqual({ Asks: 'talking to the exchange' }));
      await service.end('SIGKILL');
      await start();
      await isNamed('Asks', 'talking to the exchange');
    }
    await isCrashLoop('Asks');
    expect(await isOn('Sound')).toBe(true);
  });

  test('if no module was active, all with a process are named and watched, and nothing is counted', async () => {
    const ids = ['First', 'Second'];
    for (const id of ids) await write(id, 'c.schedule.every(60000, () => {})');
    await start();
    await enable(...ids);
    await eventually(() => expect(noted()).toMatchObject({ underWay: [], running: ids }));
    await service.end('SIGKILL');
    await start();
    for (const id of ids) await isNamed(id, 'running');
    // First is watched for five seconds, which may be over by now on a slow machine; then it is no longer a suspect.
    expect(noted()).toMatchObject({ suspects: { Second: 'running' }, ends: {} });
    for (const id of ids) {
      await hasProcess(id);
      expect(await isOn(id)).toBe(true);
    }
  });

  test('after an uncaught error the active modules are named too', async () => {
    await write('Asks', 'c.schedule.every(50, () => c.store.set("x", 1))');
    await start(defectOnSignal('error'));
    await enable('Asks');
    await eventually(() => expect(atWork()).toHaveProperty('Asks'));
    expect((await service.end('SIGUSR2')).code).toBe(70);
    await start();
    await isNamed('Asks', '(starting|talking to the exchange)');
  });

  test('a command run while the service is down leaves the suspects to the next start', async () => {
    await write('Deadly', 'new Promise(() => {})');
    await start();
    void send('POST', '/modules/Deadly:enable').catch(() => {});
    await hasProcess('Deadly');
    await service.end('SIGKILL');
    const { code, stdout } = await pbxcore(['module', 'list'], settings);
    expect(code).toBe(0);
    expect(stdout).toContain('Deadly');
    await start();
    await isNamed('Deadly', 'starting');
  });

  test('a module under watch, or waiting for its turn, can be disabled at once', async () => {
    const ids = ['First', 'Second'];
    for (const id of ids) await write(id, 'new Promise(() => {})');
    await start();
    for (const id of ids) void send('POST', `/modules/${id}:enable`).catch(() => {});
    for (const id of ids) await hasProcess(id);
    await service.end('SIGKILL');
    await start();
    for (const id of ids.reverse()) {
      const began = performance.now();
      expect((await send('POST', `/modules/${id}:disable`)).status).toBe(200);
      // Its turn would come after more than ten seconds.
      expect(performance.now() - began).toBeLessThan(8_000);
    }
    expect((await service.end('SIGTERM')).code).toBe(0);
    expect(noted()).toBeUndefined();
  });
});
