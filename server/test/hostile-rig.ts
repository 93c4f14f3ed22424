import { expect } from 'vitest';
import type { ModuleLimits } from '../src/module-host/process/limits.ts';
import { eventually } from './eventually.ts';
import { openEmbedded, type Stores } from './make-app.ts';
import { DEMO, manifestOf } from './module-fixtures.ts';
import { useModules } from './module-rig.ts';
import { type TimedPing, tellPings, timedPing } from './timed-ping.ts';

/** Small, so that tests end quickly; each test sets how long a module may be stuck. */
const LIMITS: Partial<ModuleLimits> = {
  callMs: 60_000,
  stuckMs: 60_000,
  restartMs: 10,
  memoryMb: 32,
  totalMb: 128,
};
/** The most that 99 of 100 pings may take on an otherwise idle machine. */
const HELD_UP_MS = 50;

/** The service with one good module, and hostile ones that each test installs. */
export function useHostile(
  limits: Partial<ModuleLimits> = {},
  open: () => Promise<Stores> = openEmbedded,
  settings: Record<string, string> = {},
) {
  const running = useModules({
    open,
    settings,
    limits: { ...LIMITS, ...limits },
    write: (dir) => dir.write(manifestOf('Demo'), DEMO),
    enable: ['Demo'],
  });
  const pathOf = (id: string) => `/module-${id.toLowerCase()}/x`;

  /** Installs a module that runs `evil` when asked with `x-evil`, and answers normally otherwise. */
  async function install(id: string, evil: string, manifest: object = {}): Promise<void> {
    const code = `export default { resources: [{ path: '/pbxcore/api/v3${pathOf(id)}', permission: 'x', channels: ['localhost'],
      list: async (call, context) => call.headers['x-evil'] ? (${evil})(context) : ['fine'] }] };`;
    await running.dir.write(manifestOf(id, manifest), code);
    const { status, text } = await running.asAdmin('POST', `/modules/${id}:enable`);
    expect(status, text).toBe(200);
  }

  const call = (id: string) => running.call('GET', pathOf(id));
  const evil = (id: string) => running.call('GET', pathOf(id), { headers: { 'x-evil': '1' } });
  const recordOf = async (id: string) => (await running.asAdmin('GET', `/modules/${id}`)).body.data;

  /** Keeps requesting the core and a good module while `work` runs. */
  async function meanwhile<T>(what: string, work: () => Promise<T>): Promise<T> {
    const pings: TimedPing[] = [];
    let isOver = false;
    const result = work().finally(() => {
      isOver = true;
    });
    result.catch(() => {}); // reported below
    const token = await running.app.admin();
    const ping = async () => expect((await running.call('GET', '/system:ping')).status).toBe(200);
    while (!isOver) {
      pings.push(await timedPing(ping));
      expect((await running.call('GET', '/module-demo/tasks', { token })).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(tellPings(what, pings)).toBeLessThan(HELD_UP_MS);
    return result;
  }

  /** Makes the module end three times and expects it to be disabled; resolves to the stated reason. */
  async function expectDisabled(id: string): Promise<string> {
    for (let end = 1; end <= 3; end++) {
      await eventually(async () => expect((await call(id)).status).toBe(200));
      await evil(id);
    }
    await eventually(async () =>
      expect(await recordOf(id)).toMatchObject({ disabled: true, disableReason: 'DisabledByCrashLoop' }),
    );
    return (await recordOf(id)).disableReasonText;
  }

  return { ...running, running, install, call, evil, recordOf, meanwhile, expectDisabled };
}
