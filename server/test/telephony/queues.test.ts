import { describe, expect, test } from 'vitest';
import { queue } from '../../src/engine/engine.suite.ts';
import { startPeer } from '../real/sip-peer.ts';
import { soon } from '../real/soon.ts';
import { secretOf, telephonyAvailable } from './exchange.ts';
import { menu } from './flow-rig.ts';
import { members, secondsOf, shown, useQueues } from './queue-rig.ts';
import { talk } from './use-exchange.ts';

const numbers = ['201', '202', '203', '204', '211', '212', '213', '214', '221', '222', '223', '224'];
const more = ['231', '232', '233', '234', '241', '242', '243', '251', '252', '253', '254'];
const others = ['261', '262', '263', '271', '272', '273', '274', '275'];

describe.skipIf(!telephonyAvailable())('queues', () => {
  const rig = useQueues(
    [...numbers, ...more, ...others].map((number) => ({ number, isRecorded: number === '202' })),
  );

  test('V15: all members ring, one answers and transfers the caller; each talk has its own leg and recording', async () => {
    await rig.serve([queue('600', { members: members('201', '202'), callerIdPrefix: 'Sales' })]);
    const [anna, boris] = [await rig.phone('201'), await rig.phone('202')];
    const [clara, caller] = [await rig.phone('203'), await rig.phone('204')];
    await caller.dial('600');
    await anna.next('CALL_INCOMING');
    // contract 27.14
    expect((await boris.next('CALL_INCOMING')).peerdisplayname).toBe('Sales: Employee 204');
    await soon(async () => {
      const legs = await rig.engine.activeCalls();
      expect(legs.map(({ destination }) => destination.number).sort()).toEqual(['201', '202', '600']);
    });
    await boris.answer();
    await caller.next('CALL_ESTABLISHED');
    await anna.next('CALL_CLOSED');
    await soon(async () => {
      const legs = await rig.engine.activeCalls();
      expect(legs.map(({ destination }) => destination.number)).toEqual(['202']);
    });
    await talk();
    await boris.transfer('203');
    await clara.next('CALL_INCOMING');
    await clara.answer();
    await clara.next('CALL_ESTABLISHED');
    await talk(500);
    await caller.hangUp();

    const legs = await rig.legsOf('204');
    expect(legs.map(shown)).toEqual([
      '600 queue ANSWERED/ANSWER',
      '201 NO ANSWER',
      '202 ANSWERED',
      '203 ANSWERED',
    ]);
    expect(new Set(legs.map(({ linkedId }) => linkedId)).size).toBe(1);
    expect(
      legs.map(({ application, isApplication, isTransfer }) => [application, isApplication, isTransfer]),
    ).toEqual([
      ['queue', true, false],
      ['queue', false, false],
      ['queue', false, false],
      ['', false, true],
    ]);
    const [stay, , talked] = legs;
    expect(stay).toMatchObject({ answeredAt: talked?.answeredAt, endedAt: talked?.answeredAt });
    // contract 29.1.4, 27.14: the caller's own channel and name.
    for (const { source } of legs)
      expect(source).toEqual({ channel: stay?.source.channel, number: '204', name: 'Employee 204' });
    expect(stay?.destination).toEqual({ number: '600', name: 'Queue 600', channel: 'Queue:600' });
    expect(talked?.destination).toMatchObject({
      number: '202',
      name: 'Employee 202',
      channel: expect.stringMatching(/^PJSIP.202-/),
    });
    await soon(async () =>
      expect(rig.events.filter(({ type }) => type === 'recording-finished')).toMatchObject([
        { legId: talked?.id },
      ]),
    );
  });

  test('V8: a caller who gives up leaves one leg per member, however often the phone rang', async () => {
    await rig.serve([queue('610', { members: members('211', '212'), ringSeconds: 2 })]);
    const [anna, boris, caller] = [await rig.phone('211'), await rig.phone('212'), await rig.phone('214')];
    await caller.dial('610');
    for (const phone of [anna, boris]) for (let ring = 0; ring < 2; ring++) await phone.next('CALL_INCOMING');
    await caller.hangUp();
    const legs = await rig.legsOf('214');
    expect(legs.map(shown)).toEqual(['610 queue NO ANSWER/ABANDON', '211 NO ANSWER', '212 NO ANSWER']);
    for (const leg of legs) expect(secondsOf(leg)).toBeGreaterThan(2.5);
  });

  test('V9: after the time of the queue the call goes to the target, even while a phone rings', async () => {
    await rig.serve([queue('620', { members: members('221', '222'), timeoutSeconds: 3, onTimeout: '223' })]);
    const [anna, boris, caller] = [await rig.phone('221'), await rig.phone('222'), await rig.phone('224')];
    await caller.dial('620');
    for (const phone of [anna, boris]) await phone.next('CALL_INCOMING');
    await caller.next('CALL_CLOSED');
    const legs = await rig.legsOf('224');
    expect(legs.map(shown)).toEqual([
      '620 queue NO ANSWER/TIMEOUT',
      '221 NO ANSWER',
      '222 NO ANSWER',
      '223 CHANUNAVAIL',
    ]);
    const stayed = secondsOf(legs[0] as (typeof legs)[0]);
    // The engine counts whole seconds; how late it notices depends on the machine.
    expect(stayed).toBeGreaterThan(1.9);
    expect(stayed).toBeLessThan(15);
  });

  test('V3: a member who rejects is not rung again for this caller, and the others ring on', async () => {
    await rig.serve([queue('630', { members: members('231', '232'), ringSeconds: 2 })]);
    const [anna, boris, caller] = [await rig.phone('231'), await rig.phone('232'), await rig.phone('234')];
    await caller.dial('630');
    await anna.next('CALL_INCOMING');
    await anna.hangUp();
    for (let ring = 0; ring < 2; ring++) await boris.next('CALL_INCOMING');
    await boris.answer();
    await caller.next('CALL_ESTABLISHED');
    expect(anna.events.filter(({ type }) => type === 'CALL_INCOMING')).toHaveLength(1);
    await boris.hangUp();
    const legs = await rig.legsOf('234');
    expect(legs.map(shown)).toEqual([
      '630 queue ANSWERED/ANSWER',
      '231 BUSY',
      '232 NO ANSWER',
      '232 ANSWERED',
    ]);
    // contract 27.7: other callers still reach her.
    const other = await rig.phone('233');
    await other.dial('630');
    await anna.next('CALL_INCOMING');
    await other.hangUp();
  });

  test('contract 27.7: a 603 is a rejection; when all reject, the caller waits and they are rung again after their time', async () => {
    const seconds = 3;
    await rig.serve([queue('660', { members: members('261', '262'), rejectSeconds: seconds })]);
    const invited: number[] = [];
    const calls = new Set<string>();
    const boris = await startPeer({
      address: rig.net.next(),
      server: rig.address,
      reply(request, method) {
        if (method !== 'INVITE') return method === 'ACK' ? [] : undefined;
        const id = /^Call-ID: (.*)$/m.exec(request)?.[1] ?? '';
        if (!calls.has(id)) invited.push(Date.now());
        calls.add(id);
        return [{ status: '603 Decline' }];
      },
    });
    rig.defer(() => boris.stop());
    expect(await boris.register('262', secretOf('262'))).toBe(200);
    const [anna, caller] = [await rig.phone('261'), await rig.phone('263')];
    await caller.dial('660');
    await anna.next('CALL_INCOMING');
    await anna.hangUp();
    await anna.next('CALL_INCOMING');
    await soon(() => expect(invited).toHaveLength(2));
    const [first = 0, again = 0] = invited;
    // The engine counts whole seconds.
    expect(again - first).toBeGreaterThan((seconds - 1) * 1000);
    await anna.answer();
    await caller.next('CALL_ESTABLISHED');
    await caller.hangUp();
    expect((await rig.legsOf('263')).map(shown)).toEqual([
      '660 queue ANSWERED/ANSWER',
      '261 BUSY',
      '262 BUSY',
      '261 ANSWERED',
    ]);
  });

  test('contract 27.5: a growing queue begins with the first free member, and one who becomes free joins at the next step', async () => {
    const all = members('271', '272', '273', '274');
    await rig.serve([queue('670', { strategy: 'growing', members: all, ringSeconds: 6 })], {
      menus: [menu('700', { timeoutSeconds: 60 })],
    });
    // 271 has no phone.
    const [boris, clara] = [await rig.phone('272'), await rig.phone('273')];
    const [dora, caller] = [await rig.phone('274'), await rig.phone('275')];
    await boris.dial('700');
    await boris.next('CALL_ESTABLISHED');
    await soon(async () => {
      const status = (await rig.engine.queueStatuses()).find(({ queueId }) => queueId === 'QUEUE-670');
      const devices = status?.members.map(({ number, device }) => `${number} ${device}`);
      expect(devices?.sort()).toEqual(['271 unavailable', '272 inuse', '273 free', '274 free']);
    });
    await caller.dial('670');
    await clara.next('CALL_INCOMING');
    await boris.hangUp();
    await boris.next('CALL_INCOMING');
    await clara.next('CALL_INCOMING');
    await caller.hangUp();
    const legs = await rig.legsOf('275');
    expect(legs.map(shown)).toEqual(['670 queue NO ANSWER/ABANDON', '273 NO ANSWER', '272 NO ANSWER']);
    const [stay, ...rung] = legs.map(({ startedAt }) => startedAt);
    expect(rung.map((at) => Math.round((at - (stay ?? 0)) / 6000))).toEqual([0, 1]);
    void dora;
  });

  test('V16: a growing queue rings the first member, then the first two, then three', async () => {
    await rig.serve([
      queue('650', { strategy: 'growing', members: members('251', '252', '253'), ringSeconds: 6 }),
    ]);
    const [anna, boris, clara] = [await rig.phone('251'), await rig.phone('252'), await rig.phone('253')];
    const caller = await rig.phone('254');
    await caller.dial('650');
    await anna.next('CALL_INCOMING');
    await clara.next('CALL_INCOMING');
    await clara.answer();
    await caller.next('CALL_ESTABLISHED');
    await caller.hangUp();
    const legs = await rig.legsOf('254');
    expect(legs.map(shown)).toEqual([
      '650 queue ANSWERED/ANSWER',
      '251 NO ANSWER',
      '252 NO ANSWER',
      '253 ANSWERED',
    ]);
    const [stay, ...rung] = legs.map(({ startedAt }) => startedAt);
    expect(rung.map((at) => Math.round((at - (stay ?? 0)) / 6000))).toEqual([0, 1, 2]);
    void boris;
  });

  test('V10: with no member there, the caller goes to the target at once, unanswered', async () => {
    await rig.serve([queue('640', { members: members('241', '242'), onEmpty: 'busy' })]);
    const caller = await rig.phone('243');
    await caller.dial('640');
    expect((await caller.next('CALL_CLOSED')).param).toMatch(/^486/);
    const legs = await rig.legsOf('243');
    expect(legs.map(shown)).toEqual(['640 queue NO ANSWER/EMPTY']);
  });
});
