import { describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { checkModule } from '../../src/module-host/check-module.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';

const reads = ['employees', 'providers', 'calls', 'statuses', 'bans'];

/** Fails its start with an error that lists the exchange's answers during loading. */
const TELLS = `
export default async ({ core }) => {
  const told = (asked) => asked.catch(({ status }) => ({ status }));
  const asked = ['employees', 'employee', 'providers', 'calls', 'employeeStatuses', 'providerStatuses', 'activeCalls'];
  const read = await Promise.all(asked.map((name) => told(core[name](name === 'employee' ? '1' : undefined))));
  const paths = ['/employees', '/sip-providers', '/cdr', '/sip:getStatuses'];
  const requested = await Promise.all(paths.map((path) => told(core.request('GET', path).then(({ data }) => data))));
  throw new Error(JSON.stringify([...read, ...requested]));
};`;

/** Uses everything it is given, as the type it should have. */
const STARTS = `
const path = '/pbxcore/api/v3/module-starts/notes';
export default {
  resources: [{ path, permission: 'x', channels: ['localhost'], stored: true, fields: {
    text: { type: 'string', required: true, unique: true }, stars: { type: 'integer', default: 3 } } }],
  async start({ core, records, store, calls }) {
    const { data: [...employees], recordsTotal } = await core.employees();
    const { records: [...past], pagination: { total } } = await core.calls();
    for (const one of [...await core.providers(), ...await core.activeCalls(), ...employees, ...past]) one.id.trim();
    Object.keys({ ...await core.employeeStatuses(), ...(await core.providerStatuses()).sip });
    const notes = records('notes');
    const { id, text, stars } = await notes.create({ text: 'one' });
    const [saved, lost] = await notes.save([{ fields: { text: 'two' } }, { id: '99', fields: { text: 'three' } }]);
    for await (const note of notes.each()) note.text.trim();
    const { items: [...items] } = await notes.list();
    await store.set('a', 1);
    const seen = [recordsTotal, total, typeof id, text, stars, typeof saved.id, lost.status, items.length,
      await notes.get('5'), await notes.find('text', 'x'), await notes.update('5', { stars: 1 }), await notes.remove('5'),
      await store.get('b'), (await store.keys()).length, await notes.create({}).catch(({ status }) => status),
      await records('others').get('1').catch(({ status }) => status), await calls.hangup('c1').catch(({ status }) => status)];
    const wanted = [0, 0, 'string', 'one', 3, 'string', 404, 0, undefined, undefined, undefined, false, undefined, 0, 422, 404, 404];
    if (JSON.stringify(seen) !== JSON.stringify(wanted)) throw new Error(JSON.stringify(seen));
  },
};`;

/** Fails its start with an error that contains its settings. */
const SHOWS = 'export default ({ settings }) => { throw new Error(JSON.stringify(settings)); };';

describe('a module is checked as if nothing were stored', () => {
  const running = useModules({ engine: createFakeEngine() });

  test('the core answers like that of a new installation', async () => {
    await running.dir.write(manifestOf('Tells', { reads }), TELLS);
    const answers = async (action: string) => {
      const { status, body } = await running.asAdmin('POST', `/modules/Tells:${action}`);
      expect(status).toBe(422);
      return JSON.parse(/\[.*\]/.exec(body.messages.error[0])?.[0] ?? body.messages.error[0]);
    };
    expect(await answers('check')).toEqual(await answers('enable'));
  });

  test('it receives its settings, but secret ones only as their defaults', async () => {
    const settings = {
      url: { type: 'string' },
      key: { type: 'string', secret: true },
      token: { type: 'string', secret: true, default: 'none' },
    };
    await running.dir.write(manifestOf('Shows', { settings }), SHOWS);
    const set = { settings: { url: 'u', key: 'hush', token: 'whisper' } };
    expect((await running.asAdmin('PATCH', '/modules/Shows', set)).status).toBe(200);
    const reason = async (action: string) =>
      (await running.asAdmin('POST', `/modules/Shows:${action}`)).body.messages.error[0];
    expect(await reason('check')).toBe(
      'module Shows cannot be started: Error: {"url":"u","token":"none"} (index.js:1) (it was loaded without its secret settings)',
    );
    expect(await reason('enable')).toContain('{"url":"u","key":"hush","token":"whisper"}');
  });

  test('reads missing from its manifest are refused, as they would be later', async () => {
    const folder = await running.dir.write(
      manifestOf('Curious', { reads: ['calls'] }),
      'export default { resources: [], start: ({ core }) => core.employees() };',
    );
    await expect(checkModule({ folder, pbxVersion: '2026.1.76', closedPorts: [] })).rejects.toThrow(
      'module.json does not name employees among its reads',
    );
  });

  test('its start can use records, values and calls', async () => {
    const folder = await running.dir.write(manifestOf('Starts', { reads, acts: ['hangup'] }), STARTS);
    const { endpoints } = await checkModule({ folder, pbxVersion: '2026.1.76', closedPorts: [] });
    expect(endpoints).toHaveLength(6);
  });
});
