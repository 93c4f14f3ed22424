import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DesiredCallFlow } from '../../src/engine/desired-call-flow.ts';
import { extension, queue } from '../../src/engine/engine.suite.ts';
import type { Phone } from '../real/baresip.ts';
import { soon } from '../real/soon.ts';
import { changeEngineFile } from './engine-order.ts';
import { telephonyAvailable } from './exchange.ts';
import { defaultRoute, type FlowRig, incomingRoute, menu, openFlowRig } from './flow-rig.ts';
import { members, secondsOf, shown } from './queue-rig.ts';

const LINE = '4930111';

describe.skipIf(!telephonyAvailable())('queues in calls from outside', () => {
  let rig: FlowRig;
  let phones: Phone[] = [];
  let callers = 0;

  beforeAll(async () => {
    rig = await openFlowRig();
  });
  afterEach(async () => {
    for (const phone of phones) await phone.leave();
    phones = [];
  });
  afterAll(() => rig?.close());

  const nextCaller = () => `01701${++callers}`;
  const serve = (callFlow: Partial<DesiredCallFlow>, ...more: ReturnType<typeof extension>[]) =>
    rig.serve([...['202', '203', '204'].map((number) => extension(number)), ...more], callFlow);
  async function phone(number: string): Promise<Phone> {
    const made = await rig.phone(number);
    phones.push(made);
    return made;
  }

  test('V14: a menu and an empty queue that lead to each other end after one turn', async () => {
    await serve({
      menus: [menu('700', { repeats: 2, onTimeout: '600' })],
      queues: [queue('600', { members: members('202', '203'), onEmpty: '700' })],
      incomingRoutes: [incomingRoute(2, LINE, '700')],
    });
    const caller = nextCaller();
    const call = rig.outside.call(LINE, { caller });
    expect(await call.outcome()).toBe(200);
    await soon(() => expect(call.isOver()).toBe(true));
    const legs = await rig.legsOf(caller);
    expect(legs.map(shown)).toEqual(['700 ivr NO ANSWER/TIMEOUT', '600 queue NO ANSWER/EMPTY']);
    expect(legs[0]?.dtmfDigits).toBe('t,t,t');
  });

  test('27.13: a full queue leads back to the routes, also after a menu; a caller without a route hears busy', async () => {
    await serve({
      menus: [menu('700', { timeoutSeconds: 30, actions: [{ digits: '1', target: '600' }] })],
      queues: [queue('600', { members: members('202'), maxWaiting: 1, ringSeconds: 60 })],
      incomingRoutes: [
        incomingRoute(2, LINE, '600'),
        incomingRoute(3, LINE, '203'),
        incomingRoute(4, '4930222', '700'),
      ],
      defaultRoute: defaultRoute('203'),
    });
    const [boris, clara, dora] = [await phone('202'), await phone('203'), await phone('204')];
    const patient = rig.outside.call(LINE, { caller: nextCaller() });
    await boris.next('CALL_INCOMING');
    for (const [number, leg] of [
      [LINE, []],
      ['4930222', ['700 ivr NO ANSWER/CONTINUE']],
    ] as const) {
      const caller = nextCaller();
      const call = rig.outside.call(number, { caller, hasKeys: true });
      if (number !== LINE) expect(await call.outcome()).toBe(200);
      if (number !== LINE) await call.press('1');
      await clara.next('CALL_INCOMING');
      await clara.hangUp();
      await clara.next('CALL_CLOSED');
      // contract 22.6: the last one tried is busy. After a menu the line is answered, so the caller hears the tone.
      if (number === LINE) expect(await call.outcome()).toBe(486);
      else await call.hangUp();
      expect((await rig.legsOf(caller)).map(shown)).toEqual([...leg, '600 queue NO ANSWER/FULL', '203 BUSY']);
    }
    await dora.dial('600');
    expect((await dora.next('CALL_CLOSED')).param).toMatch(/^486/);
    expect((await rig.legsOf('204')).map(shown)).toEqual(['600 queue NO ANSWER/FULL']);
    await patient.hangUp();
  });

  test('22.7: the deadline of a route ends a queue with ringing, and the next route follows; one with music continues', async () => {
    const one = { members: members('202'), ringSeconds: 60 };
    await serve({
      queues: [
        queue('600', { ...one, timeoutSeconds: 30, onTimeout: '204' }),
        queue('601', { ...one, hears: 'moh', timeoutSeconds: 4, onTimeout: '204' }),
      ],
      incomingRoutes: [
        incomingRoute(2, LINE, '600', { timeoutSeconds: 2 }),
        incomingRoute(3, '4930222', '601', { timeoutSeconds: 1 }),
      ],
      defaultRoute: defaultRoute('203'),
    });
    const boris = await phone('202');
    for (const [number, legs, seconds] of [
      [LINE, ['600 queue NO ANSWER/TIMEOUT', '202 NO ANSWER', '203 CHANUNAVAIL'], 2],
      ['4930222', ['601 queue NO ANSWER/TIMEOUT', '202 NO ANSWER', '204 CHANUNAVAIL'], 4],
    ] as const) {
      const caller = nextCaller();
      const call = rig.outside.call(number, { caller });
      await boris.next('CALL_INCOMING');
      await call.outcome();
      const told = await rig.legsOf(caller);
      expect(told.map(shown)).toEqual(legs);
      // The engine counts in whole seconds of the clock.
      const [stay] = told;
      if (!stay) throw new Error('no leg');
      expect(secondsOf(stay)).toBeGreaterThan(seconds - 1.1);
      expect(secondsOf(stay)).toBeLessThan(seconds + 15);
      await boris.next('CALL_CLOSED');
    }
  });

  test('27.3: all devices of a member ring for the time of the queue, whatever its own ring length and forwards', async () => {
    const forward = { onNoAnswer: '203', onBusy: '203', onUnavailable: '203' };
    const anna = extension('201', { ringSeconds: 1, forward });
    await serve(
      {
        queues: [queue('600', { members: members('201'), ringSeconds: 4 })],
        incomingRoutes: [incomingRoute(2, LINE, '600')],
      },
      anna,
    );
    const clara = await phone('203');
    const devices = [await phone('201'), await phone('201')] as const;
    const caller = nextCaller();
    const call = rig.outside.call(LINE, { caller });
    for (const device of devices) await device.next('CALL_INCOMING');
    for (const device of devices) await device.next('CALL_CLOSED');
    for (const device of devices) await device.next('CALL_INCOMING');
    // If one device rejects, the other keeps ringing.
    await devices[0].hangUp();
    await devices[0].next('CALL_CLOSED');
    await devices[1].answer();
    expect(await call.outcome()).toBe(200);
    await devices[1].next('CALL_ESTABLISHED');
    await call.hangUp();
    const legs = await rig.legsOf(caller);
    expect(legs.map(shown).sort()).toEqual(['201 ANSWERED', '201 NO ANSWER', '600 queue ANSWERED/ANSWER']);
    const rung = legs.find(({ disposition }) => disposition === 'NO ANSWER');
    if (!rung) throw new Error('no leg');
    expect(secondsOf(rung)).toBeGreaterThan(2.9);
    expect(clara.events.filter(({ type }) => type === 'CALL_INCOMING')).toEqual([]);
  });

  test('C10: a caller who arrives while the engine reloads its queues waits until the queue is loaded', async () => {
    await serve({
      queues: [queue('600', { members: members('202') })],
      incomingRoutes: [incomingRoute(2, LINE, '600')],
    });
    const boris = await phone('202');
    const [here, away] = [/-r1\]/, '-r999]'];
    await changeEngineFile(rig.dataDir, 'queues.conf', (text) => text.replace(here, away));
    const caller = nextCaller();
    const call = rig.outside.call(LINE, { caller });
    await soon(async () =>
      expect(await rig.activeCalls()).toMatchObject([{ destination: { number: '600' } }]),
    );
    await changeEngineFile(rig.dataDir, 'queues.conf', (text) => text.replace(away, '-r1]'));
    await boris.next('CALL_INCOMING');
    await boris.answer();
    expect(await call.outcome()).toBe(200);
    await call.hangUp();
    expect((await rig.legsOf(caller)).map(shown)).toEqual(['600 queue ANSWERED/ANSWER', '202 ANSWERED']);
  });

  test('C10: a caller waiting in a deleted queue is still served by its members', async () => {
    const one = queue('600', { members: members('202'), ringSeconds: 4 });
    const routes = { incomingRoutes: [incomingRoute(2, LINE, '600')] };
    await serve({ ...routes, queues: [one] });
    const boris = await phone('202');
    const caller = nextCaller();
    const call = rig.outside.call(LINE, { caller });
    await boris.next('CALL_INCOMING');
    await serve(routes);
    await boris.next('CALL_CLOSED');
    await boris.next('CALL_INCOMING');
    await boris.answer();
    expect(await call.outcome()).toBe(200);
    await call.hangUp();
    expect((await rig.legsOf(caller)).map(shown).sort()).toEqual([
      '202 ANSWERED',
      '202 NO ANSWER',
      '600 queue ANSWERED/ANSWER',
    ]);
  });
});
