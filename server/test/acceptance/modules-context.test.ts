import { describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { eventually } from '../eventually.ts';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { activeLeg, NOON } from './active-leg.ts';
import { availablePairs } from './use-app.ts';

const CODE = `
const heard = [];
const path = '/pbxcore/api/v3/module-ctx/x';
const own = (context, call) => (call.query.own ? context.core : call.core);
export default {
  start(context) {
    for (const type of ['call-started', 'call-answered', 'call-ended', 'call-missed', 'leg-started', 'leg-changed', 'leg-ended', 'ban-added', 'ban-lifted', 'registration-changed', 'emergency-call'])
      context.on(type, (event) => void heard.push({ type, ...event }));
    context.sql.exec('create table if not exists seen (n integer primary key, word text)');
  },
  callerName: async (number) => ({ 4930123: 'Ada from afar', 4930124: '\\0Eve\\r\\n' + 'x'.repeat(99), 4930125: '\\0 \\x1b' })[number],
  resources: [{
    path, permission: 'x', channels: ['bearer_token', 'localhost'],
    actions: [
      { name: 'heard', verb: 'GET', handle: () => heard },
      { name: 'employees', verb: 'GET', query: { own: { type: 'boolean' } }, handle: (call, context) => own(context, call).employees({ limit: 1 }) },
      { name: 'all', verb: 'GET', query: { own: { type: 'boolean' } }, async handle(call, context) {
        const core = own(context, call);
        return Promise.all([core.employee('1'), core.providers(), core.calls({ limit: 1 }), core.employeeStatuses(), core.providerStatuses(), core.activeCalls()]);
      } },
      { name: 'store', verb: 'POST', async handle(call, { store }) {
        await store.set('a', { n: 1 }); await store.set('ab', 'two'); await store.set('b', null);
        const keys = await store.keys('a');
        const values = [await store.get('a'), await store.get('ab'), await store.get('b'), (await store.get('none')) ?? 'nothing'];
        await store.delete('a');
        return { keys, values, left: await store.keys() };
      } },
      { name: 'bad', verb: 'GET', handle: (call, { store }) => store.set('', 1) },
      { name: 'sql', verb: 'POST', handle(call, { sql }) {
        const { lastInsertRowid } = sql.run('insert into seen (word) values (?)', call.body.word);
        try { sql.transaction(() => { sql.run('insert into seen (word) values (?)', 'lost'); throw new Error('no'); }); } catch {}
        return { lastInsertRowid, words: sql.all('select word from seen order by n').map((row) => row.word) };
      } },
      { name: 'attach', verb: 'GET', handle: (call, { sql }) => sql.exec("attach '/tmp/x' as other") },
      { name: 'pbx', verb: 'GET', handle: (call, context) => ({ ...context.pbx, id: context.id }) },
      { name: 'schedule', verb: 'GET', handle: (call, { schedule }) => new Promise((resolve) => {
        let n = 0;
        schedule.every(100, () => { if (++n === 1) throw new Error('logged'); resolve({ n }); });
      }) },
      { name: 'say', verb: 'GET', handle(call, { log }) { log.info('hello', { a: 1 }); console.log('printed'); call.warn('careful'); call.inform('so'); return {}; } },
    ],
  }],
};
`;

describe.each(availablePairs)('the context of a module, on $name', ({ open }) => {
  const engine = createFakeEngine();
  const reads = ['employees', 'providers', 'calls', 'statuses', 'bans'];
  const running = useModules({
    open,
    engine,
    limits: { nameMs: 20_000 },
    write: (dir) => dir.write(manifestOf('Ctx', { reads }), CODE),
    enable: ['Ctx'],
  });
  const ask = (action: string, more: object = {}) => running.call('GET', `/module-ctx/x:${action}`, more);

  test('it reads what the caller may read, or, on its own behalf, what the manifest names', async () => {
    const employee = { number: '201', user_username: 'Ada', sip_secret: 'hush-hush-hush' };
    await running.asAdmin('POST', '/employees', employee);
    const granted = await running.keyFor({ '/api/v3/module-ctx/x': 'read', '/api/v3/employees': 'read' });
    const seen = await ask('employees', { key: granted });
    expect(seen.body.data).toMatchObject({ recordsTotal: 1, data: [{ number: '201' }] });
    expect(seen.text).not.toContain('hush');
    const narrow = await running.keyFor({ '/api/v3/module-ctx/x': 'read' });
    const refused = await ask('employees', { key: narrow });
    expect(refused.status).toBe(403);
    expect(refused.body.messages.error).toEqual(['the caller does not hold read on /api/v3/employees']);
    // An anonymous caller has no rights.
    expect((await ask('employees')).status).toBe(403);
    expect((await ask('employees?own=1', { key: narrow })).body.data.recordsTotal).toBe(1);
    const all = await ask('all?own=1');
    expect(all.body.data[0]).toMatchObject({ number: '201' });
    expect(all.body.data[2]).toHaveProperty('records');
    expect(all.text).not.toContain('hush');
  });

  test('it stores, lists and deletes values under keys', async () => {
    const { body } = await running.call('POST', '/module-ctx/x:store', { body: {} });
    expect(body.data).toEqual({
      keys: ['a', 'ab'],
      values: [{ n: 1 }, 'two', null, 'nothing'],
      left: ['ab', 'b'],
    });
    expect((await ask('bad')).status).toBe(400);
  });

  test('it has an SQLite file of its own and can attach no other', async () => {
    const { body } = await running.call('POST', '/module-ctx/x:sql', { body: { word: 'one' } });
    expect(body.data).toEqual({ lastInsertRowid: 1, words: ['one'] });
    expect((await ask('attach')).status).toBe(500);
  });

  test('it has data of the exchange, a scheduler and messages', async () => {
    expect((await ask('pbx')).body.data).toMatchObject({ id: 'Ctx', timezone: 'Europe/Berlin' });
    expect((await ask('schedule')).body.data).toEqual({ n: 2 });
    expect((await ask('say')).body.messages).toEqual({ error: [], info: ['so'], warning: ['careful'] });
  });

  test('it receives events of calls, legs, bans and emergency calls', async () => {
    const now = running.app.now();
    const party = (number: string) => ({ channel: `PJSIP/${number}`, number, name: '' });
    engine.startLeg({
      id: 'l1',
      linkedId: 'c1',
      startedAt: now,
      answeredAt: null,
      source: party('0900'),
      destination: party('201'),
      did: '4000',
    });
    engine.changeLeg('l1', { answeredAt: now + 2000 });
    engine.endLeg('l1', { endedAt: now + 9000, disposition: 'ANSWERED', fromProvider: 'SIP-1' });
    engine.endCall('c1');
    engine.startLeg({
      id: 'l2',
      linkedId: 'c2',
      startedAt: now,
      answeredAt: null,
      source: party('0901'),
      destination: party('201'),
      did: '4000',
    });
    engine.endLeg('l2', { endedAt: now + 3000, disposition: 'NO ANSWER', fromProvider: 'SIP-1' });
    engine.endCall('c2');
    await running.asAdmin('POST', '/firewall:banIp', { ip: '203.0.113.7', category: 'sip', seconds: 60 });
    await running.asAdmin('POST', '/firewall:unbanIp', { ip: '203.0.113.7' });
    engine.callForHelp({
      linkedId: 'c9',
      callerNumber: '201',
      callerName: 'Ann',
      number: '112',
      providerId: 'SIP-1',
    });
    await eventually(async () => {
      const events = (await ask('heard')).body.data as { type: string }[];
      const types = events.map(({ type }) => type);
      expect(types.filter((type) => type.startsWith('call-'))).toEqual([
        'call-started',
        'call-answered',
        'call-ended',
        'call-started',
        'call-ended',
        'call-missed',
      ]);
      expect(types).toContain('leg-started');
      expect(events).toContainEqual({
        type: 'emergency-call',
        linkedid: 'c9',
        src_num: '201',
        src_name: 'Ann',
        number: '112',
        provider: 'SIP-1',
      });
      expect(events).toContainEqual(
        expect.objectContaining({ type: 'ban-added', address: '203.0.113.7', category: 'sip' }),
      );
      expect(events).toContainEqual({ type: 'ban-lifted', address: '203.0.113.7', category: 'sip' });
      expect(events.find(({ type }) => type === 'call-ended')).toMatchObject({
        linkedid: 'c1',
        src_num: '0900',
        duration: 9,
        billsec: 7,
        direction: 'incoming',
        disposition: 'ANSWERED',
      });
      expect(events.find(({ type }) => type === 'call-missed')).toMatchObject({
        linkedid: 'c2',
        billsec: 0,
        disposition: 'NO ANSWER',
      });
    });
  });

  test('29.4: a leg event says whether the leg belongs to an application', async () => {
    engine.startLeg(activeLeg('a1', { application: 'ivr', isApplication: true }));
    engine.endLeg('a1', { endedAt: NOON + 4000 });
    engine.startLeg(activeLeg('a2'));
    engine.changeLeg('a2', { answeredAt: NOON + 5000 });
    engine.endLeg('a2', { endedAt: NOON + 9000 });
    await eventually(async () => {
      const events = (await ask('heard')).body.data as { type: string; leg?: Record<string, unknown> }[];
      const told = events.flatMap(({ type, leg }) =>
        leg && ['a1', 'a2'].includes(String(leg.id)) ? [[type, leg.application, leg.isApplication]] : [],
      );
      expect(told).toEqual([
        ['leg-started', 'ivr', true],
        ['leg-ended', 'ivr', true],
        ['leg-started', '', false],
        ['leg-changed', '', false],
        ['leg-ended', '', false],
      ]);
    });
  });

  test('it can name an outside caller in active calls and in the call record', async () => {
    const now = running.app.now();
    const party = (number: string) => ({ channel: `PJSIP/${number}`, number, name: '' });
    engine.startLeg({
      id: 'n1',
      linkedId: 'named',
      startedAt: now,
      answeredAt: null,
      source: party('4930123'),
      destination: party('201'),
      did: '4000',
    });
    await eventually(async () => {
      const { body } = await running.asAdmin('GET', '/pbx-status:getActiveCalls');
      expect(body.data).toMatchObject([{ src_num: '4930123', src_name: 'Ada from afar' }]);
    });
    engine.endLeg('n1', { endedAt: now + 1000, disposition: 'NO ANSWER', fromProvider: 'SIP-1' });
    engine.endCall('named');
    await eventually(async () => {
      const { body } = await running.asAdmin('GET', '/cdr?src_num=4930123');
      expect(body.data.records).toMatchObject([{ src_name: 'Ada from afar' }]);
    });
  });

  test('a name is cleaned and cut like one from the engine, and is empty if no letters are left', async () => {
    const party = (number: string, name = '') => ({ channel: `PJSIP/${number}`, number, name });
    for (const caller of ['4930124', '4930125']) {
      const destination = party('201');
      engine.startLeg(activeLeg(caller, { source: party(caller), destination, did: '4000' }));
    }
    await eventually(async () => {
      const { body } = await running.asAdmin('GET', '/pbx-status:getActiveCalls');
      const names = body.data.map((call: Record<string, string>) => [call.src_num, call.src_name]);
      expect(names).toEqual([
        ['4930124', `Eve ${'x'.repeat(94)}`],
        ['4930125', ''],
      ]);
    });
    for (const caller of ['4930124', '4930125']) {
      engine.endLeg(caller, { endedAt: NOON + 1000 });
      engine.endCall(caller);
    }
    await eventually(async () => {
      const { body } = await running.asAdmin('GET', '/cdr?src_num=4930124');
      expect(body.data.records).toMatchObject([{ src_name: `Eve ${'x'.repeat(94)}` }]);
    });
  });

  test('listening without the matching read in its manifest is refused', async () => {
    await running.dir.write(
      manifestOf('Deaf'),
      `export default { resources: [], start(context) { context.on('leg-started', () => {}); } };`,
    );
    const { status, body } = await running.asAdmin('POST', '/modules/Deaf:enable');
    expect(status).toBe(422);
    expect(body.messages.error[0]).toContain('leg-started needs calls among the reads of module.json');
  });
});
