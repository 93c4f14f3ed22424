import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { DEMO, manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';

const SHAKY = `let n = 0;
export default { resources: [{
  path: '/pbxcore/api/v3/module-shaky/x', permission: 'x', channels: ['public'],
  list: () => { if (n++ === 0) throw new Error('first'); return [n]; },
  actions: [
    { name: 'crash', verb: 'POST',
      handle: () => { setTimeout(() => { throw new Error('crash'); }); return new Promise(() => {}); } },
    { name: 'compute', verb: 'POST',
      handle: () => { const began = process.cpuUsage(); while (process.cpuUsage(began).user < 300_000); } },
    { name: 'sql', verb: 'POST', handle: (call, { sql }) => sql.get('select 1 as one') },
  ],
}] };`;

describe('figures, metrics and checks of modules', () => {
  const running = useModules({
    write: async (dir) => {
      await dir.write(manifestOf('Shaky'), SHAKY);
      await dir.write(manifestOf('Demo', { reads: ['calls', 'employees'] }), DEMO);
      await dir.write(
        manifestOf('Never'),
        'export default { resources: [], start: () => new Promise(() => {}) };',
      );
    },
    enable: ['Shaky'],
    limits: { restartMs: 0 },
  });
  const { asAdmin, call } = running;
  const figures = async (id: string) =>
    (await asAdmin('GET', '/modules:getFigures')).body.data.find((one: { id: string }) => one.id === id);

  test('calls, errors and restarts of each module are counted', async () => {
    expect((await call('GET', '/module-shaky/x')).status).toBe(500);
    expect((await call('GET', '/module-shaky/x')).status).toBe(200);
    expect((await call('GET', '/module-shaky/x:nothing')).status).toBe(404);
    expect(await figures('Shaky')).toMatchObject({ isUp: true, calls: 2, errors: 1, restarts: 0 });
    expect((await call('POST', '/module-shaky/x:crash')).status).toBe(500);
    await eventually(async () => {
      const now = await figures('Shaky');
      expect(now).toMatchObject({ calls: 3, errors: 2, restarts: 1 });
      // Its new process has started.
      expect(now.memoryBytes).toBeGreaterThan(0);
    });
    expect(await figures('Demo')).toBeUndefined();
  });

  test('/metrics lists them by module and omits unknown values', async () => {
    const headers = { authorization: `Bearer ${await running.app.admin()}` };
    const text = await (await fetch(`${running.app.origin}/metrics`, { headers })).text();
    expect(text).toContain('pbxcore_module_up{module="Shaky"} 1');
    expect(text).toContain('pbxcore_module_calls_total{module="Shaky"} 3');
    expect(text).toContain('pbxcore_module_errors_total{module="Shaky"} 2');
    expect(text).toContain('pbxcore_module_restarts_total{module="Shaky"} 1');
    expect(text).toMatch(/^pbxcore_module_cpu_seconds_total\{module="Shaky"\} \d/m);
    expect(text).toMatch(/^pbxcore_module_memory_bytes\{module="Shaky"\} [1-9]/m);
    expect(text).not.toContain('NaN');
    expect(text).not.toContain('module="Demo"');
  });

  test('CPU time and memory are those of its processes, including its SQL', async () => {
    const { cpuSeconds, memoryBytes } = await figures('Shaky');
    expect(memoryBytes).toBeGreaterThan(10_000_000);
    expect((await call('POST', '/module-shaky/x:compute')).status).toBe(200);
    const after = await figures('Shaky');
    expect(after.cpuSeconds).toBeGreaterThanOrEqual(cpuSeconds + 0.2);
    expect((await call('POST', '/module-shaky/x:sql')).status).toBe(200);
    await eventually(async () =>
      expect((await figures('Shaky')).memoryBytes).toBeGreaterThan(memoryBytes + 10_000_000),
    );
  });

  test('the figures survive disabling and enabling', async () => {
    const { cpuSeconds } = await figures('Shaky');
    await asAdmin('POST', '/modules/Shaky:disable');
    const off = await figures('Shaky');
    expect(off).toMatchObject({ isUp: false, calls: 5, memoryBytes: 0 });
    expect(off.cpuSeconds).toBeGreaterThanOrEqual(cpuSeconds);
    await asAdmin('POST', '/modules/Shaky:enable');
    expect(await figures('Shaky')).toMatchObject({ isUp: true, calls: 5 });
    expect((await figures('Shaky')).cpuSeconds).toBeGreaterThanOrEqual(off.cpuSeconds);
  });

  test('a check shows what a module reads and opens without waiting for its start', async () => {
    const { status, body } = await asAdmin('POST', '/modules/Demo:check');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: 'Demo', version: '1.0.0', reads: ['calls', 'employees'] });
    expect(body.data.endpoints).toContainEqual({
      verb: 'POST',
      path: '/pbxcore/api/v3/module-demo/status:hook',
      channels: ['public'],
    });
    expect((await asAdmin('GET', '/modules/Demo')).body.data.endpoints).toEqual([]);
    expect(await asAdmin('POST', '/modules/Never:check')).toMatchObject({ status: 200 });
    expect((await asAdmin('GET', '/modules/Never')).body.data.disableReasonText).toBe('');
    await asAdmin('POST', '/modules/Demo:enable');
    expect((await asAdmin('POST', '/modules/Demo:check')).body.data).toEqual(body.data);
  });

  test('a check of a module that cannot be loaded gives the reason and stores nothing', async () => {
    await running.dir.write(manifestOf('Bad'), 'export default 7;');
    expect(await asAdmin('POST', '/modules/Bad:check')).toMatchObject({
      status: 422,
      body: { messages: { error: [expect.stringContaining('module Bad cannot be started:')] } },
    });
    expect((await asAdmin('GET', '/modules/Bad')).body.data).toMatchObject({ disableReason: '' });
    expect((await asAdmin('POST', '/modules/Nobody:check')).status).toBe(404);
  });

  test('doctor names routes that answer without a key, and local callers that came through a proxy', async () => {
    const of = async (wanted: string) => {
      await running.app.advance(15_000);
      const { findings } = (await asAdmin('GET', '/system:getInfo')).body.data;
      return findings.filter(({ id }: { id: string }) => id === wanted);
    };
    const texts = (await of('modules')).map(({ text }: { text: string }) => text);
    expect(texts).toEqual([
      'modules: 2 of 4 enabled: Demo, Shaky',
      expect.stringMatching(/^module Demo since the start of the service: 0 calls, .* s of CPU, \d+ MB now$/),
      expect.stringMatching(/^module Shaky since .*: 5 calls, 2 errors, 1 restarts, /),
      'module Demo answers everybody at POST /pbxcore/api/v3/module-demo/status:hook',
      expect.stringMatching(
        /^module Demo answers programs on this machine without a key at GET .*status:local$/,
      ),
      expect.stringMatching(/^module Shaky answers everybody at /),
    ]);
    expect(await of('local-callers')).toMatchObject([{ level: 'ok' }]);
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    expect((await call('GET', '/module-demo/status', { headers })).status).toBe(401);
    expect(await of('local-callers')).toMatchObject([
      {
        level: 'warning',
        text: expect.stringContaining('a request from this machine came with the header x-forwarded-for'),
        remedy: expect.stringContaining('PBXCORE_TRUSTED_PROXIES'),
      },
    ]);
  });
});
