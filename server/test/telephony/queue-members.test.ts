import { describe, expect, test } from 'vitest';
import { queue } from '../../src/engine/engine.suite.ts';
import type { EngineEvent } from '../../src/engine/events.ts';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { members, shown, useQueues } from './queue-rig.ts';

const numbers = [
  '201',
  '202',
  '203',
  '204',
  '211',
  '212',
  '213',
  '221',
  '222',
  '223',
  '231',
  '232',
  '233',
  '234',
];
const codes = { featureCodes: { night: '', queueLogin: '*45', queuePause: '*46' } };

describe.skipIf(!telephonyAvailable())('members of queues', () => {
  const rig = useQueues(numbers.map((number) => ({ number })));
  const device = async (queueId: string, number: string) => {
    const status = (await rig.engine.queueStatuses()).find((known) => known.queueId === queueId);
    return status?.members.find((member) => member.number === number);
  };
  const switched = () => rig.events.filter((event: EngineEvent) => event.type === 'member-switched');

  test('a member is free, rings, talks, and has a wrap-up time in all of its queues', async () => {
    const common = { members: members('201', '202'), ringSeconds: 30, wrapUpSeconds: 5 };
    await rig.serve([queue('600', common), queue('601', { ...common, members: members('201') })]);
    expect(await device('QUEUE-600', '201')).toMatchObject({
      device: 'unavailable',
      isPaused: false,
      lastCallAt: null,
    });
    const [anna, caller, other] = [await rig.phone('201'), await rig.phone('203'), await rig.phone('204')];
    await soon(async () => expect(await device('QUEUE-600', '201')).toMatchObject({ device: 'free' }));
    await caller.dial('600');
    await anna.next('CALL_INCOMING');
    await soon(async () => expect(await device('QUEUE-601', '201')).toMatchObject({ device: 'ringing' }));
    await anna.answer();
    await caller.next('CALL_ESTABLISHED');
    await soon(async () => expect(await device('QUEUE-601', '201')).toMatchObject({ device: 'inuse' }));
    // contract 27.2: a member is not rung while in a call.
    await other.dial('601');
    await other.next('CALL_RINGING');
    const hungUpAt = Date.now();
    await caller.hangUp();
    await anna.next('CALL_CLOSED');
    await soon(async () => expect(await device('QUEUE-600', '201')).toMatchObject({ device: 'wrapup' }));
    await soon(async () => expect(await device('QUEUE-601', '201')).toMatchObject({ device: 'wrapup' }));
    await anna.next('CALL_INCOMING');
    // Five seconds, counted in whole ones.
    expect(Date.now() - hungUpAt).toBeGreaterThan(3900);
    await other.hangUp();
    await soon(async () => expect(await device('QUEUE-600', '201')).toMatchObject({ device: 'free' }));
    const told = rig.events.flatMap((event) =>
      event.type === 'queue-member-changed' && event.queueId === 'QUEUE-600' && event.member.number === '201'
        ? event.member.device
        : [],
    );
    expect(told.filter((known, at) => known !== told[at - 1])).toEqual(
      expect.arrayContaining(['free', 'ringing', 'inuse', 'wrapup', 'free']),
    );
  });

  test('contract 27.19: a logged-out member is not rung; a code logs it in at once; one beep means in, two mean out', async () => {
    const [out] = members('211').map((member) => ({ ...member, state: 'out' as const }));
    if (!out) throw new Error('no member');
    await rig.serve(
      [queue('610', { members: [out], onEmpty: 'busy' }), queue('611', { members: [out] })],
      codes,
    );
    expect(await device('QUEUE-610', '211')).toMatchObject({ isPaused: true });
    const [anna, caller] = [await rig.phone('211'), await rig.phone('212')];
    await caller.dial('610');
    expect((await caller.next('CALL_CLOSED')).param).toMatch(/^486/);
    await anna.dial('*45');
    await anna.next('CALL_ESTABLISHED');
    await anna.next('CALL_CLOSED');
    expect((await anna.heard()).beeps(880)).toBe(1);
    await soon(async () => expect(switched()).toMatchObject([{ number: '211', state: 'in', queue: '' }]));
    await soon(async () => expect(await device('QUEUE-611', '211')).toMatchObject({ isPaused: false }));
    await caller.dial('610');
    await anna.next('CALL_INCOMING');
    await caller.hangUp();
    await Promise.all([anna.next('CALL_CLOSED'), caller.next('CALL_CLOSED')]);
    await anna.dial('*46610');
    await anna.next('CALL_ESTABLISHED');
    await soon(async () => expect(await device('QUEUE-610', '211')).toMatchObject({ isPaused: true }));
    expect(await device('QUEUE-611', '211')).toMatchObject({ isPaused: false });
    await soon(async () =>
      expect(switched().at(-1)).toMatchObject({ number: '211', state: 'paused', queue: '610' }),
    );
    await anna.next('CALL_CLOSED');
    expect((await anna.heard()).beeps(880)).toBe(2);
    // The caller is not a member.
    await caller.dial('*45');
    expect((await caller.next('CALL_CLOSED')).param).toMatch(/^404/);
    await caller.dial('*45610');
    expect((await caller.next('CALL_CLOSED')).param).toMatch(/^404/);
  });

  test('contract 27.19: a code works only for the phone that dials it; a transfer to it comes back and changes no state', async () => {
    await rig.serve([queue('612', { members: members('213') })], codes);
    const [anna, boris] = [await rig.phone('213'), await rig.phone('212')];
    await anna.dial('212');
    await boris.next('CALL_INCOMING');
    await boris.answer();
    await anna.next('CALL_ESTABLISHED');
    await boris.transfer('*46');
    await boris.next('CALL_CLOSED');
    await boris.next('CALL_INCOMING');
    await anna.hangUp();
    expect((await rig.legsOf('213')).map(shown).sort()).toEqual([
      '*46 FAILED/NOROUTE',
      '212 ANSWERED',
      '212 NO ANSWER',
    ]);
    expect(switched().filter((event) => 'number' in event && event.number === '213')).toEqual([]);
    expect(await device('QUEUE-612', '213')).toMatchObject({ isPaused: false });
  });

  test('a caller who waits is served by the earlier members; a later caller by the new ones', async () => {
    const earlier = queue('620', { members: members('221'), strategy: 'linear', ringSeconds: 4 });
    await rig.serve([earlier]);
    const [anna, boris, caller] = [await rig.phone('221'), await rig.phone('222'), await rig.phone('223')];
    await caller.dial('620');
    await anna.next('CALL_INCOMING');
    await rig.serve([{ ...earlier, revision: 2, members: members('222') }]);
    await anna.next('CALL_INCOMING');
    await anna.answer();
    await caller.next('CALL_ESTABLISHED');
    await caller.hangUp();
    await anna.next('CALL_CLOSED');
    await caller.next('CALL_CLOSED');
    await caller.dial('620');
    await boris.next('CALL_INCOMING');
    await caller.hangUp();
    // Legs of both calls; the first has already ended.
    await soon(async () => {
      const legs = await rig.legsOf('223');
      expect(legs.map(shown)).toContain('221 ANSWERED');
      expect(legs.map(shown)).toContain('222 NO ANSWER');
    });
  });

  test('contract 27.5, 27.17: a caller waiting in a growing queue keeps its earlier members, each in turn', async () => {
    const earlier = queue('630', { members: members('231', '232'), strategy: 'growing', ringSeconds: 6 });
    await rig.serve([earlier]);
    const [anna, boris, caller] = [await rig.phone('231'), await rig.phone('232'), await rig.phone('233')];
    await caller.dial('630');
    await anna.next('CALL_INCOMING');
    await rig.serve([{ ...earlier, revision: 2, members: members('234') }]);
    await anna.next('CALL_INCOMING');
    await boris.next('CALL_INCOMING');
    await boris.answer();
    await caller.next('CALL_ESTABLISHED');
    await caller.hangUp();
    expect((await rig.legsOf('233')).map(shown)).toEqual([
      '630 queue ANSWERED/ANSWER',
      '231 NO ANSWER',
      '232 ANSWERED',
    ]);
  });
});
