import { describe, expect, test } from 'vitest';
import { queue } from '../../src/engine/engine.suite.ts';
import type { Phone } from '../real/baresip.ts';
import { soon } from '../real/soon.ts';
import { orderEngine } from './engine-order.ts';
import { telephonyAvailable } from './exchange.ts';
import { members, secondsOf, shown, useQueues } from './queue-rig.ts';
import { talk } from './use-exchange.ts';

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => String(from + at));

describe.skipIf(!telephonyAvailable())('strategies and ways out of queues', () => {
  const rig = useQueues(numbers(201, 93).map((number) => ({ number })));

  /** Numbers of these phones in the given order, once each has rung to its end. */
  async function rings(phones: readonly Phone[]): Promise<string[]> {
    const order: string[] = [];
    for (const phone of phones) {
      await phone.next('CALL_INCOMING');
      order.push(phone.number);
    }
    return order;
  }
  const legsBegun = (caller: string) =>
    rig.events.flatMap((event) =>
      (event.type === 'leg-started' || event.type === 'leg-changed') &&
      event.leg.source.number === caller &&
      event.leg.queue !== undefined &&
      event.leg.answeredAt === null
        ? event.leg
        : [],
    );
  /** The queue skips members that it does not yet see as free. */
  const allFree = () =>
    soon(async () => {
      for (const { members } of await rig.engine.queueStatuses())
        expect(members.map(({ device }) => device)).toEqual(members.map(() => 'free'));
    });
  const begun = (caller: string) => legsBegun(caller).map(({ destination }) => destination.number);

  test('linear rings in order, from the first member for each caller', async () => {
    await rig.serve([
      queue('600', { strategy: 'linear', members: members('201', '202', '203'), ringSeconds: 1 }),
    ]);
    const phones = await Promise.all(['201', '202', '203'].map((number) => rig.phone(number)));
    const [anna] = phones as [Phone];
    const caller = await rig.phone('204');
    await allFree();
    for (let call = 0; call < 2; call++) {
      await caller.dial('600');
      await rings(call === 0 ? [...phones, anna] : [anna]);
      await caller.hangUp();
      await caller.next('CALL_CLOSED');
      // A member whose phone still rings for the first call cannot be the first for the second.
      await rig.legsOf('204');
      await allFree();
    }
    await soon(() => {
      const calls = [...Map.groupBy(legsBegun('204'), ({ linkedId }) => linkedId).values()];
      const [first = [], second = []] = calls.map((legs) => legs.map((leg) => leg.destination.number));
      // More may ring until the caller has hung up.
      expect([...first.slice(0, 4), second[0]]).toEqual(['201', '202', '203', '201', '201']);
    });
  });

  test('rrmemory rings in turn, continuing after the last member rung', async () => {
    await rig.serve([
      queue('610', { strategy: 'rrmemory', members: members('211', '212', '213'), ringSeconds: 30 }),
    ]);
    const phones = await Promise.all(['211', '212', '213'].map((number) => rig.phone(number)));
    const caller = await rig.phone('214');
    await allFree();
    for (const phone of [...phones, phones[0] as Phone]) {
      await caller.dial('610');
      await phone.next('CALL_INCOMING');
      await phone.answer();
      await caller.next('CALL_ESTABLISHED');
      await caller.hangUp();
      await Promise.all([phone.next('CALL_CLOSED'), caller.next('CALL_CLOSED')]);
    }
    await soon(async () => expect(begun('214')).toEqual(['211', '212', '213', '211']));
  });

  test('fewestcalls and leastrecent skip a member who did not answer while others are tried', async () => {
    for (const [at, strategy] of (['fewestcalls', 'leastrecent'] as const).entries()) {
      const [first, second, from] = [`22${at * 3 + 1}`, `22${at * 3 + 2}`, `22${at * 3 + 3}`];
      const number = `62${at}`;
      await rig.serve([queue(number, { strategy, members: members(first, second), ringSeconds: 2 })]);
      const phones = await Promise.all([first, second].map((one) => rig.phone(one)));
      const caller = await rig.phone(from);
      await allFree();
      await caller.dial(number);
      await Promise.all(phones.map((phone) => phone.next('CALL_INCOMING')));
      await Promise.all(phones.map((phone) => phone.next('CALL_INCOMING')));
      await caller.hangUp();
      await soon(async () => {
        const [one, two, three, four] = begun(from);
        expect(four, strategy).toBeDefined();
        expect(two, strategy).not.toBe(one);
        expect(four, strategy).not.toBe(three);
      });
    }
  });

  test('contract 27.4: fewestcalls rings the member with the fewest calls, leastrecent the one whose last call is oldest', async () => {
    const common = { ringSeconds: 30, wrapUpSeconds: 0 };
    await rig.serve([
      queue('690', { ...common, strategy: 'fewestcalls', members: members('291', '292', '293') }),
      queue('691', { ...common, strategy: 'leastrecent', members: members('293', '292', '291') }),
    ]);
    const caller = await rig.phone('290');
    const phones = new Map<string, Phone>();
    const comes = async (number: string) => void phones.set(number, await rig.phone(number));
    const counted = new Map<string, number>();
    let countedAt = 0;
    /** The engine counts a call, and the second in which it ended, a moment after the end is visible elsewhere. */
    async function counts(number: string): Promise<void> {
      counted.set(number, (counted.get(number) ?? 0) + 1);
      await soon(async () => {
        const queues = await orderEngine(rig.dataDir, 'queue show');
        const taken = [...queues.matchAll(/^ *(\d+) \(.* has taken (\d+) calls/gm)];
        const own = taken.flatMap(([, member, calls]) => (member === number ? Number(calls) : []));
        expect(own).toEqual([counted.get(number), counted.get(number)]);
      });
      countedAt = Date.now();
    }
    async function answers(number: string, queueNumber: string): Promise<void> {
      const phone = phones.get(number) as Phone;
      // Waits until every member with a phone can be rung.
      await soon(async () => {
        for (const { members } of await rig.engine.queueStatuses())
          expect(members.filter(({ device }) => device === 'free').length).toBe(phones.size);
      });
      await caller.dial(queueNumber);
      await phone.next('CALL_INCOMING');
      await phone.answer();
      await caller.next('CALL_ESTABLISHED');
      await talk(Math.max(0, countedAt + 1000 - Date.now()));
      await caller.hangUp();
      await Promise.all([phone.next('CALL_CLOSED'), caller.next('CALL_CLOSED')]);
      await counts(number);
    }
    await comes('291');
    await answers('291', '690');
    await answers('291', '690');
    await comes('293');
    // Calls per member: two and none, then two, none and one.
    await answers('293', '690');
    await comes('292');
    await answers('292', '690');
    await answers('291', '691');
    await answers('293', '691');
    await soon(() => expect(begun('290')).toEqual(['291', '291', '293', '292', '291', '293']));
  });

  test('random rings one member after another', async () => {
    await rig.serve([queue('630', { strategy: 'random', members: members('231', '232'), ringSeconds: 1 })]);
    const phones = await Promise.all(['231', '232'].map((number) => rig.phone(number)));
    const caller = await rig.phone('233');
    await caller.dial('630');
    await Promise.all(phones.map((phone) => phone.next('CALL_INCOMING')));
    await caller.hangUp();
    await soon(async () => expect(new Set(begun('233'))).toEqual(new Set(['231', '232'])));
  });

  test('contract 27.1: callers are served in order of arrival, several at once if several members are free', async () => {
    await rig.serve([queue('640', { strategy: 'linear', members: members('241', '242'), ringSeconds: 30 })]);
    const [anna, boris] = [await rig.phone('241'), await rig.phone('242')];
    const callers = [await rig.phone('243'), await rig.phone('244'), await rig.phone('245')] as const;
    await allFree();
    for (const caller of callers) {
      await caller.dial('640');
      await caller.next('CALL_RINGING');
    }
    expect((await anna.next('CALL_INCOMING')).peeruri).toContain('sip:243@');
    expect((await boris.next('CALL_INCOMING')).peeruri).toContain('sip:244@');
    await boris.answer();
    await callers[1].next('CALL_ESTABLISHED');
    await boris.hangUp();
    await boris.next('CALL_CLOSED');
    expect((await boris.next('CALL_INCOMING')).peeruri).toContain('sip:245@');
    for (const caller of [callers[0], callers[2]]) await caller.hangUp();
  });

  test('contract 27.12, 27.13: a full queue leads to its target, or is busy without one', async () => {
    const full = { members: members('251'), maxWaiting: 1 };
    await rig.serve([queue('650', { ...full, onFull: '254' }), queue('651', full)]);
    await rig.phone('251');
    const [waiting, other, clara] = [await rig.phone('252'), await rig.phone('253'), await rig.phone('254')];
    await waiting.dial('650');
    await waiting.next('CALL_RINGING');
    await other.dial('650');
    await clara.next('CALL_INCOMING');
    await other.hangUp();
    await other.next('CALL_CLOSED');
    await waiting.hangUp();
    await waiting.next('CALL_CLOSED');
    expect((await rig.legsOf('253')).map(shown)).toEqual(['650 queue NO ANSWER/FULL', '254 NO ANSWER']);
    await waiting.dial('651');
    await waiting.next('CALL_RINGING');
    await other.dial('651');
    expect((await other.next('CALL_CLOSED')).param).toMatch(/^486/);
    await waiting.hangUp();
  });

  test('contract 27.11: soon after the last member leaves, the caller goes to the target; without a target the caller waits', async () => {
    const one = { members: members('261'), ringSeconds: 1 };
    await rig.serve([queue('660', { ...one, onEmpty: '263' }), queue('661', one)]);
    const [anna, clara] = [await rig.phone('261'), await rig.phone('263')];
    const [caller, patient] = [await rig.phone('262'), await rig.phone('264')];
    await caller.dial('660');
    await anna.next('CALL_INCOMING');
    await rig.serve([
      queue('660', {
        ...one,
        onEmpty: '263',
        members: one.members.map((m) => ({ ...m, state: 'paused' as const })),
      }),
      queue('661', one),
    ]);
    await clara.next('CALL_INCOMING');
    await caller.hangUp();
    const [stay] = await rig.legsOf('262');
    expect(stay && shown(stay)).toBe('660 queue NO ANSWER/EMPTY');
    expect(stay && secondsOf(stay)).toBeLessThan(25);
    await anna.leave();
    await patient.dial('661');
    await patient.next('CALL_RINGING');
    await soon(async () =>
      expect((await rig.engine.activeCalls()).map(({ source }) => source.number)).toContain('264'),
    );
    await patient.hangUp();
  });

  test('contract 27.8: a queue with music answers the line at once, one with ringing does not', async () => {
    await rig.serve([
      queue('670', { members: members('271'), hears: 'moh' }),
      queue('671', { members: members('271') }),
    ]);
    const [anna, caller] = [await rig.phone('271'), await rig.phone('272')];
    await caller.dial('670');
    await caller.next('CALL_ESTABLISHED');
    await anna.next('CALL_INCOMING');
    await caller.hangUp();
    await Promise.all([anna.next('CALL_CLOSED'), caller.next('CALL_CLOSED')]);
    await caller.dial('671');
    await caller.next('CALL_RINGING');
    await anna.next('CALL_INCOMING');
    expect(caller.events.filter(({ type }) => type === 'CALL_ESTABLISHED')).toHaveLength(1);
    await caller.hangUp();
    const legs = await rig.legsOf('272');
    // contract 29.1.2: a queue that no member answered does not answer the call.
    for (const { answeredAt } of legs) expect(answeredAt).toBeNull();
  });

  test('contract 27.2: a member in a call is rung only if the queue allows it', async () => {
    const one = { members: members('281'), ringSeconds: 30 };
    await rig.serve([queue('680', one), queue('681', { ...one, ringsBusyMembers: true })]);
    const [anna, boris, caller, other] = [
      await rig.phone('281'),
      await rig.phone('282'),
      await rig.phone('283'),
      await rig.phone('284'),
    ];
    await anna.dial('282');
    await boris.next('CALL_INCOMING');
    await boris.answer();
    await anna.next('CALL_ESTABLISHED');
    await caller.dial('680');
    await caller.next('CALL_RINGING');
    await other.dial('681');
    expect((await anna.next('CALL_INCOMING')).peeruri).toContain('sip:284@');
    await caller.hangUp();
    await other.hangUp();
    expect((await rig.legsOf('283')).map(shown)).toEqual(['680 queue NO ANSWER/ABANDON']);
  });
});
