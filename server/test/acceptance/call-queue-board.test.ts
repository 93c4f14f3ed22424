import { describe, expect, test } from 'vitest';
import { createFakeEngine } from '../../src/engine/fake-engine.ts';
import { openEvents } from '../event-reader.ts';
import { eventually } from '../eventually.ts';
import { availablePairs, useApp } from './use-app.ts';

const QUEUE = { application: 'queue', isApplication: true };
const NOW = Date.UTC(2026, 4, 4, 8, 11, 12);

describe.each(availablePairs)('contract 27.21: the queue board on $name', ({ open }) => {
  const engine = createFakeEngine();
  const held = useApp(open, {}, engine);
  let id = '';
  const board = async () => (await held.asAdmin('GET', `/call-queues/${id}:getStatus`)).body.data;
  const leg = (linkedId: string, fields: object) => ({
    id: `${linkedId}-1`,
    linkedId,
    startedAt: NOW - 30_000,
    answeredAt: null,
    source: { channel: 'PJSIP/P-1', number: '+491701', name: 'Caller' },
    destination: { channel: 'Queue:600', number: '600', name: 'Support' },
    did: '',
    application: 'queue',
    isApplication: true,
    ...fields,
  });

  test('the board shows at once who waits, who talks and who is free', async () => {
    for (const [number, user_username] of [
      ['201', 'Anna'],
      ['202', 'Boris'],
    ])
      await held.asAdmin('POST', '/employees', { number, user_username, sip_secret: 'long enough' });
    const made = await held.asAdmin('POST', '/call-queues', {
      name: 'Support',
      extension: '600',
      members: [{ extension: '201' }, { extension: '202' }],
    });
    id = made.body.data.id;
    await eventually(() => expect(engine.served.callFlow?.queues).toMatchObject([{ id, number: '600' }]));
    engine.changeMember(id, '201', { device: 'free' });
    engine.changeMember(id, '202', { device: 'inuse', lastCallAt: NOW - 60_000 });
    engine.startLeg(leg('c1', {}));
    engine.startLeg(
      leg('c2', { startedAt: NOW - 10_000, source: { channel: 'x', number: '203', name: '' } }),
    );
    engine.startLeg(
      leg('c3', {
        answeredAt: NOW - 5000,
        isApplication: false,
        queue: '600',
        destination: { channel: 'PJSIP/202-1', number: '202', name: 'Boris' },
      }),
    );
    expect(await board()).toEqual({
      id,
      name: 'Support',
      extension: '600',
      waiting: 2,
      longestWait: 30,
      talking: 1,
      free: 1,
      members: [
        {
          extension: '201',
          represent: 'Anna <201>',
          state: 'in',
          reason: '',
          device: 'free',
          since: 0,
          callsToday: 0,
          lastCall: 0,
        },
        {
          extension: '202',
          represent: 'Boris <202>',
          state: 'in',
          reason: '',
          device: 'inuse',
          since: 0,
          callsToday: 0,
          lastCall: Math.floor(NOW / 1000) - 60,
        },
      ],
      callers: [
        { linkedid: 'c1', src_num: '+491701', src_name: 'Caller', position: 1, wait: 30 },
        { linkedid: 'c2', src_num: '203', src_name: '', position: 2, wait: 10 },
      ],
      today: { offered: 0, answered: 0, abandoned: 0, timedOut: 0, averageWait: 0, longestWait: 0 },
    });
    const all = await held.asAdmin('GET', '/call-queues:getStatuses');
    expect(Object.keys(all.body.data)).toEqual([id]);
    expect(all.body.meta.asOf).toMatch(/^2026-05-04T/);
  });

  test('the board of all queues equals that of one queue, whatever changes between two readers', async () => {
    const all = async () => (await held.asAdmin('GET', '/call-queues:getStatuses')).body.data[id];
    const changes = [
      () => engine.changeMember(id, '201', { device: 'ringing' }),
      () => engine.changeLeg('c1-1', { source: { channel: 'PJSIP/P-1', number: '+491702', name: 'Caller' } }),
      async () => {
        const [{ id: anna }] = (await held.asAdmin('GET', '/employees?search=201')).body.data.data;
        await held.asAdmin('PATCH', `/employees/${anna}`, { user_username: 'Anne' });
      },
      () => held.asAdmin('POST', `/call-queues/${id}:setMemberState`, { extension: '202', state: 'paused' }),
      () => held.asAdmin('PATCH', `/call-queues/${id}`, { name: 'Help' }),
      () => held.app.advance(1000),
    ];
    let before = await all();
    for (const change of changes) {
      await change();
      const after = await all();
      expect(after).toEqual(await board());
      expect(after).not.toEqual(before);
      before = after;
    }
    expect(await all()).toMatchObject({
      name: 'Help',
      longestWait: 31,
      members: [{ represent: 'Anne <201>' }, {}],
    });
  });

  test('the figures of the day come from its call records', async () => {
    engine.endLeg('c1-1', { endedAt: NOW, application: 'queue', isApplication: true, dialStatus: 'ABANDON' });
    engine.changeLeg('c2-1', { answeredAt: NOW });
    engine.endLeg('c2-1', {
      endedAt: NOW,
      disposition: 'ANSWERED',
      application: 'queue',
      isApplication: true,
      dialStatus: 'ANSWER',
      member: '201',
    });
    engine.startLeg(
      leg('c2', {
        id: 'c2-2',
        startedAt: NOW - 8000,
        answeredAt: NOW,
        isApplication: false,
        destination: { channel: 'PJSIP/201-1', number: '201', name: 'Anna' },
      }),
    );
    engine.endLeg('c2-2', {
      endedAt: NOW + 5000,
      disposition: 'ANSWERED',
      application: 'queue',
      isApplication: false,
    });
    await eventually(async () => {
      held.app.advance(1000);
      expect(await board()).toMatchObject({
        waiting: 0,
        today: { offered: 2, answered: 1, abandoned: 1, timedOut: 0, averageWait: 20, longestWait: 30 },
        members: [{ extension: '201', callsToday: 1 }, { callsToday: 0 }],
      });
    });
  });

  test('contract 27.20: a state that a member sets by phone is stored, unless a newer one is known', async () => {
    engine.switchMember({
      legId: 'n-1-1-switch',
      number: '201',
      state: 'paused',
      queue: '',
      at: NOW + 60_000,
    });
    await eventually(async () =>
      expect((await held.asAdmin('GET', `/call-queues/${id}`)).body.data.members[0]).toMatchObject({
        state: 'paused',
      }),
    );
    engine.switchMember({
      legId: 'n-1-1-switch',
      number: '201',
      state: 'in',
      queue: '600',
      at: NOW + 50_000,
    });
    engine.switchMember({
      legId: 'n-1-1-switch',
      number: '202',
      state: 'out',
      queue: '600',
      at: NOW + 50_000,
    });
    await eventually(async () =>
      expect((await held.asAdmin('GET', `/call-queues/${id}`)).body.data.members).toMatchObject([
        { state: 'paused' },
        { state: 'out' },
      ]),
    );
    await eventually(() =>
      expect(engine.served.callFlow?.queues[0]?.members).toMatchObject([
        { state: 'paused' },
        { state: 'out' },
      ]),
    );
    expect(await board()).toMatchObject({ free: 0 });
  });

  test('a new order of members changes the revision, a new state does not', async () => {
    const revision = () => engine.served.callFlow?.queues[0]?.revision;
    const before = revision();
    await held.asAdmin('POST', `/call-queues/${id}:setMemberState`, { extension: '202', state: 'in' });
    await eventually(() =>
      expect(engine.served.callFlow?.queues[0]?.members).toMatchObject([{}, { state: 'in' }]),
    );
    expect(revision()).toBe(before);
    await held.asAdmin('PATCH', `/call-queues/${id}`, {
      members: [{ extension: '202' }, { extension: '201' }],
    });
    await eventually(() => expect(revision()).not.toBe(before));
  });

  test('contract 29.4: joining and leaving callers and changes of members are sent as they happen', async () => {
    const reader = await openEvents(held.app.port, { token: await held.app.admin(), topics: 'queues' });
    try {
      const { queues } = await reader.snapshot('queues');
      expect(queues).toMatchObject([{ id, extension: '600', waiting: 0, callers: [] }]);
      engine.startLeg(leg('c4', {}));
      const caller = { queueId: id, number: '600', linkedid: 'c4', src_num: '+491701' };
      expect((await reader.event('queue-joined')).data).toEqual({ ...caller, position: 1, waiting: 1 });
      await reader.event('queue', ({ waiting }) => waiting === 1);
      engine.endLeg('c4-1', { endedAt: NOW, ...QUEUE, dialStatus: 'ANSWER', member: '201' });
      const left = { outcome: 'ANSWER', wait: 30, member: '201', position: 0, waiting: 0 };
      expect((await reader.event('queue-left')).data).toEqual({ ...caller, ...left });
      engine.changeMember(id, '201', { device: 'wrapup' });
      const member = { queueId: id, extension: '201', state: 'paused', reason: '', device: 'wrapup' };
      expect((await reader.event('queue-member-changed')).data).toEqual(member);
    } finally {
      reader.close();
    }
  });

  test('while the engine is away the board is 503', async () => {
    engine.goDown();
    expect((await held.asAdmin('GET', '/call-queues:getStatuses')).status).toBe(503);
  });
});

describe('contract 27.21: without an engine', () => {
  const held = useApp();
  test('all figures are zero', async () => {
    await held.asAdmin('POST', '/call-queues', { name: 'Support', extension: '600' });
    const { body } = await held.asAdmin('GET', '/call-queues:getStatuses');
    expect(Object.values(body.data)).toMatchObject([
      { waiting: 0, talking: 0, free: 0, members: [], callers: [] },
    ]);
  });

  test('contract 30.4: streams show the same figures, and created and deleted queues', async () => {
    const open = async () => openEvents(held.app.port, { token: await held.app.admin(), topics: 'queues' });
    await eventually(async () => {
      const reader = await open();
      const { queues } = await reader.snapshot('queues').finally(reader.close);
      expect(queues).toMatchObject([{ name: 'Support', extension: '600', waiting: 0, members: [] }]);
    });
    const reader = await open();
    try {
      const { body } = await held.asAdmin('POST', '/call-queues', { name: 'Sales', extension: '601' });
      const { id } = body.data;
      expect((await reader.event('queue', ({ name }) => name === 'Sales')).data).toMatchObject({
        id,
        free: 0,
      });
      await held.asAdmin('DELETE', `/call-queues/${id}`);
      expect((await reader.event('queue', ({ deleted }) => deleted)).data).toEqual({ id, deleted: true });
    } finally {
      reader.close();
    }
  });
});
