import { describe, expect, test } from 'vitest';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { availablePairs } from './use-app.ts';

/** A module that forges the exchange's own log lines: in its log, its output and an error. */
const FORGER = `
export default {
  start({ log }) {
    log.info('switched off', { by: 'admin' });
    log.info('switched off {"by":"admin"}');
    log.warn('switched off', { module: 'Other', author: undefined, moduleShare: 'none', level: 60, source: 'service' });
    console.log('{"level":30,"module":"Forger","by":"admin","msg":"switched off"}');
  },
  resources: [{ path: '/pbxcore/api/v3/module-forger/x', permission: 'x', channels: ['localhost'],
    actions: [
      { name: 'fail', verb: 'GET', handle() { throw new Error('switched off'); } },
      { name: 'flood', verb: 'GET', async handle(call, { log }) {
        for (let second = 0; second < 3; second++) {
          for (let i = 0; i < 200; i++) { log.warn('switched off'); console.log('switched off'); }
          await new Promise((resolve) => setTimeout(resolve, 1000));
        }
        return {};
      } },
    ] }],
};`;

interface Line {
  readonly author?: string;
  readonly source: string;
  readonly text: string;
  readonly fields: Record<string, unknown>;
}

describe.each(availablePairs.slice(0, 1))('contract 9.4: lines of modules in the log ($name)', ({ open }) => {
  const running = useModules({
    open,
    settings: { PBXCORE_LOG_LEVEL: 'info' },
    write: (dir) => dir.write(manifestOf('Forger'), FORGER),
    enable: ['Forger'],
  });
  const own = async (): Promise<Line[]> =>
    (await running.asAdmin('GET', '/modules/Forger:getLog?lines=1000')).body.data;
  const all = async (): Promise<Line[]> =>
    (await running.asAdmin('GET', '/system:getLog?lines=1000')).body.data;

  test('lines that a module writes name it as author, whatever it writes, and no other lines do', async () => {
    await running.asAdmin('POST', '/modules/Forger:disable', { reasonText: 'so' });
    await running.asAdmin('POST', '/modules/Forger:enable');
    expect((await running.call('GET', '/module-forger/x:fail')).status).toBe(500);
    for (const read of [own, all]) {
      const lines = (await read()).filter(({ text }) => text.includes('switched'));
      const theirs = lines.filter(({ author }) => author !== undefined);
      expect(new Set(theirs.map(({ author }) => author))).toEqual(new Set(['Forger']));
      expect(theirs).toHaveLength(8);
      const ours = lines.filter(({ author }) => author === undefined);
      expect(ours.map(({ text }) => text)).toEqual(['switched on', 'switched off', 'switched on']);
      for (const { fields } of ours) expect(fields.by).toBe('admin');
    }
    const failed = (await own()).find(({ text }) => text === 'a handler failed');
    expect(failed, 'that is a line of the exchange').not.toHaveProperty('author');
    expect(JSON.stringify(await all())).not.toContain('moduleShare":"caused');
  });

  test('a module that floods the log displaces no lines of others', async () => {
    const before = (await all()).filter(({ author }) => author === undefined);
    await running.call('GET', '/module-forger/x:flood');
    // All lines, including those of failed requests, stay below what can be requested.
    for (let i = 0; i < 350; i++) await running.call('GET', '/module-forger/x:fail');
    const after = await all();
    expect(after.filter(({ fields }) => fields.module !== undefined).length).toBeLessThan(600);
    const kept = new Set(after.map((line) => JSON.stringify(line)));
    const ofOthers = before.filter(({ text }) => text !== 'a handler failed');
    expect(ofOthers.filter((line) => !kept.has(JSON.stringify(line)))).toEqual([]);
  });
});
