import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extension } from '../../src/engine/engine.suite.ts';
import { startPeer } from '../real/sip-peer.ts';
import { soon } from '../real/soon.ts';
import { toneWav } from '../real/tone.ts';
import { telephonyAvailable } from './exchange.ts';
import { defaultRoute, type FlowRig, incomingRoute, menu, openFlowRig, told, trunkAt } from './flow-rig.ts';
import { gone, VECTORS } from './incoming-vectors.ts';
import { LOUD } from './use-exchange.ts';

const one = incomingRoute;

describe.skipIf(!telephonyAvailable())('contract 22: calls from outside', () => {
  let rig: FlowRig;
  beforeAll(async () => {
    rig = await openFlowRig();
  });
  afterAll(() => rig?.close());
  let callers = 0;
  const nextCaller = () => `0152${String(++callers).padStart(3, '0')}`;

  test('a call takes the fitting routes in turn and ends as the last of them does', async () => {
    for (const [at, { flow, called, legs, status, isPrivate }] of VECTORS.entries()) {
      const about = `${at}: ${called}`;
      const callFlow = { defaultRoute: defaultRoute('250'), ...flow };
      const mobile = { mobile: { number: '01701', dialString: '' } };
      await rig.serve([extension('201', mobile), '202', '250', '600'], callFlow);
      const [number = '', caller = nextCaller()] = called.split(' from ');
      const more = isPrivate ? [`P-Asserted-Identity: <sip:${caller}@x>`, 'Privacy: id'] : [];
      const call = rig.outside.call(number, { caller, more });
      expect(await call.outcome(), about).toBe(status);
      const made = await rig.legsOf(caller);
      expect(made.map(told), about).toEqual(legs);
      for (const leg of made) expect(leg, about).toMatchObject({ fromProvider: 'SIP-A' });
      rig.forget();
    }
    console.info(`${VECTORS.length} calls`);
  });

  test('contract 22.11: the routes of a provider apply only to its own calls', async () => {
    const routes = [
      one(2, '4930', '201', { providerId: 'SIP-A' }),
      one(3, '4930', '202', { providerId: 'SIP-B' }),
    ];
    const hosts = { 'SIP-A': rig.outside.address, 'SIP-B': rig.net.next(), 'SIP-C': rig.net.next() };
    for (const [id, legs] of [
      ['SIP-A', gone('201')],
      ['SIP-B', gone('202')],
      ['SIP-C', ['4930 FAILED/NOROUTE']],
    ] as const) {
      const providers = Object.keys(hosts).map((name) =>
        trunkAt(name, name === id ? rig.outside.address : rig.net.next()),
      );
      await rig.serve(['201', '202'], { incomingRoutes: routes, defaultRoute: defaultRoute('') }, providers);
      const caller = nextCaller();
      await rig.outside.call('4930', { caller }).outcome();
      expect((await rig.legsOf(caller)).map(told), id).toEqual(legs);
    }
  });

  test('contract 21.4: a chain of forwards and targets enters each number once, and at most 20 numbers', async () => {
    const away = (number: string, to: string) =>
      extension(number, { forward: { onNoAnswer: '', onBusy: '', onUnavailable: to } });
    const circle = [away('301', '302'), away('302', '303'), away('303', '301')];
    const line = Array.from({ length: 30 }, (_, at) => away(String(401 + at), String(402 + at)));
    const routes = [one(2, '4931', '301'), one(3, '4932', '401')];
    await rig.serve([...circle, ...line], { incomingRoutes: routes, defaultRoute: defaultRoute('') });
    for (const [number, legs] of [
      ['4931', gone('301', '302', '303')],
      ['4932', gone(...line.slice(0, 20).map(({ number }) => number))],
    ] as const) {
      const caller = nextCaller();
      expect(await rig.outside.call(number, { caller }).outcome()).toBe(480);
      expect((await rig.legsOf(caller)).map(told)).toEqual(legs);
    }
  });

  test('contract 21.5: a call enters at most 100 numbers, however many routes it takes', async () => {
    const away = (at: number) =>
      extension(String(401 + at), {
        forward: { onNoAnswer: '', onBusy: '', onUnavailable: String(402 + at) },
      });
    const line = Array.from({ length: 20 }, (_, at) => away(at));
    const routes = Array.from({ length: 8 }, (_, at) => one(2 + at, '4933', '401'));
    await rig.serve(line, { incomingRoutes: routes, defaultRoute: defaultRoute('') });
    const caller = nextCaller();
    expect(await rig.outside.call('4933', { caller }).outcome()).toBe(503);
    expect(await rig.legsOf(caller)).toHaveLength(100);
  });

  test('contract 21.8: a call that ends before any phone rings leaves a record, also an internal one', async () => {
    const atOnce = (number: string, to: string) =>
      extension(number, { ringSeconds: 0, forward: { onNoAnswer: to, onBusy: '', onUnavailable: '' } });
    const numbers = [
      atOnce('311', '312'),
      atOnce('312', 'busy'),
      atOnce('313', '314'),
      atOnce('314', '313'),
      '315',
    ];
    const routes = [one(2, '4934', '311'), one(3, '4935', '313')];
    await rig.serve(numbers, { incomingRoutes: routes, defaultRoute: defaultRoute('') });
    for (const [number, leg, status] of [
      ['4934', '4934 BUSY', 486],
      ['4935', '4935 NO ANSWER', 480],
    ] as const) {
      const caller = nextCaller();
      expect(await rig.outside.call(number, { caller }).outcome()).toBe(status);
      expect((await rig.legsOf(caller)).map(told)).toEqual([leg]);
    }
    const phone = await rig.phone('315');
    await phone.dial('311');
    expect((await phone.next('CALL_CLOSED')).param).toMatch(/^486/);
    expect((await rig.legsOf('315')).map(told)).toEqual(['311 BUSY']);
    await phone.leave();
  });

  test('contract 22.6: each route has its own time, then the next begins; a busy callee ends the call', async () => {
    const routes = [
      one(2, '4930111', '201', { timeoutSeconds: 2 }),
      one(3, '4930111', '202', { timeoutSeconds: 60 }),
      one(4, '4930112', '201', { timeoutSeconds: 60 }),
      one(5, '4930112', '202', { timeoutSeconds: 60 }),
    ];
    await rig.serve(['201', '202'], { incomingRoutes: routes, defaultRoute: defaultRoute('') });
    const [anna, boris] = [await rig.phone('201'), await rig.phone('202')];
    const caller = nextCaller();
    const call = rig.outside.call('4930111', { caller });
    await anna.next('CALL_INCOMING');
    await boris.next('CALL_INCOMING');
    await anna.next('CALL_CLOSED');
    await boris.answer();
    expect(await call.outcome()).toBe(200);
    await boris.next('CALL_ESTABLISHED');
    await boris.hangUp();
    const [left, taken, ...more] = await rig.legsOf(caller);
    expect([left, taken].map((leg) => leg && told(leg))).toEqual(['201 NO ANSWER', '202 ANSWERED']);
    expect(more).toEqual([]);
    const rang = (left?.endedAt ?? 0) - (left?.startedAt ?? 0);
    // A deadline falls on a whole second of the engine's clock, so up to a second may be missing.
    expect(rang).toBeGreaterThanOrEqual(900);
    // The next route would have taken a minute.
    expect(rang).toBeLessThan(30_000);

    const second = nextCaller();
    const busy = rig.outside.call('4930112', { caller: second });
    await anna.next('CALL_INCOMING');
    await anna.hangUp();
    expect(await busy.outcome()).toBe(486);
    expect((await rig.legsOf(second)).map(told)).toEqual(['201 BUSY']);
    await anna.leave();
    await boris.leave();
  });

  test('contract 22.6, 29.1: a phone that rings out is without answer, whatever other phones before or beside it say', async () => {
    const says: Readonly<Record<string, string>> = {
      '207': '486 Busy Here',
      '217': '603 Decline',
      '227': '488 Not Acceptable Here',
      '237': '603 Decline',
    };
    const [peer, other] = await Promise.all(
      [says, {}].map((said: typeof says) =>
        startPeer({
          address: rig.net.next(),
          server: rig.address,
          reply(request, method) {
            const [, number = ''] = /^INVITE sip:(\d+)@/.exec(request) ?? [];
            if (method === 'INVITE') return [{ status: said[number] ?? '180 Ringing' }];
            return method === 'CANCEL' ? [{ status: '200 OK' }] : undefined;
          },
        }),
      ),
    );
    if (!peer || !other) throw new Error('no phones');
    const to = (onBusy: string, onUnavailable = '', onNoAnswer = '') => ({
      forward: { onNoAnswer, onBusy, onUnavailable },
    });
    const ringsOut = { ringSeconds: 1, ...to('', '', '209') };
    const numbers = [
      extension('207', to('208')),
      '208',
      '209',
      extension('217', to('218')),
      extension('218', ringsOut),
      extension('227', to('', '228')),
      extension('228', ringsOut),
      extension('237', ringsOut),
    ];
    const routes = [
      one(2, '4930207', '207', { timeoutSeconds: 2 }),
      one(3, '4930207', '209'),
      ...['217', '227', '237'].map((number, at) => one(4 + at, `4930${number}`, number)),
    ];
    await rig.serve(numbers, { incomingRoutes: routes, defaultRoute: defaultRoute('') });
    for (const number of ['207', '208', '217', '218', '227', '228', '237'])
      expect(await peer.register(number, `secret-of-${number}`)).toBe(200);
    expect(await other.register('237', 'secret-of-237')).toBe(200);
    const stories = [
      ['207', ['207 BUSY', '208 NO ANSWER', '209 CHANUNAVAIL']],
      ['217', ['217 BUSY', '218 NO ANSWER', '209 CHANUNAVAIL']],
      ['227', ['227 FAILED', '228 NO ANSWER', '209 CHANUNAVAIL']],
      ['237', ['237 NO ANSWER', '209 CHANUNAVAIL']],
    ] as const;
    await Promise.all(
      stories.map(async ([number, legs]) => {
        const caller = nextCaller();
        expect(await rig.outside.call(`4930${number}`, { caller }).outcome(), number).toBe(480);
        expect((await rig.legsOf(caller)).map(told), number).toEqual(legs);
      }),
    );
    await Promise.all([peer.stop(), other.stop()]);
  });

  test('contract 22.7: the deadline covers the whole chain of the target', async () => {
    const forward = { onNoAnswer: '204', onBusy: '', onUnavailable: '' };
    const numbers = [extension('203', { ringSeconds: 1, forward }), '204', '205'];
    const routes = [one(2, '4930222', '203', { timeoutSeconds: 3 })];
    await rig.serve(numbers, { incomingRoutes: routes, defaultRoute: defaultRoute('205') });
    const phones = [await rig.phone('203'), await rig.phone('204'), await rig.phone('205')] as const;
    const caller = nextCaller();
    const call = rig.outside.call('4930222', { caller });
    for (const phone of phones) await phone.next('CALL_INCOMING');
    await phones[2].hangUp();
    expect(await call.outcome()).toBe(486);
    const legs = await rig.legsOf(caller);
    expect(legs.map(told)).toEqual(['203 NO ANSWER', '204 NO ANSWER', '205 BUSY']);
    const [from = 0, to = 0] = [legs[0]?.startedAt, legs[2]?.startedAt];
    // The deadline falls on a whole second of the clock.
    expect(to - from).toBeGreaterThanOrEqual(1900);
    for (const phone of phones) await phone.leave();
  });

  test('contract 22.8: a message plays before the target, on an answered line, as its own leg, and ignores keys', async () => {
    const file = join(rig.dataDir, 'greeting');
    await writeFile(`${file}.wav`, toneWav(440, 1));
    const sounds = [{ id: '7', name: 'Good morning', category: 'custom', file, seconds: 1 }] as const;
    const routes = [
      one(2, '4930333', '206', { soundId: '7', timeoutSeconds: 1 }),
      one(3, '4930333', 'busy'),
      one(4, '4930444', 'hangup', { soundId: '7' }),
      one(5, '4930555', '700', { soundId: '7' }),
    ];
    const menus = [menu('700', { actions: [{ digits: '1', target: '206' }] })];
    await rig.serve(['206'], { incomingRoutes: routes, sounds, menus, defaultRoute: defaultRoute('') });
    const phone = await rig.phone('206');
    const caller = nextCaller();
    const call = rig.outside.call('4930333', { caller });
    expect(await call.outcome()).toBe(200);
    await phone.next('CALL_INCOMING');
    await phone.next('CALL_CLOSED');
    expect(rig.outside.heard().strength(440)).toBeGreaterThan(LOUD);
    rig.outside.forget();
    // Contract 21: an answered caller hears the target `busy` as a tone, for ten seconds unless the caller hangs up.
    await soon(() => expect(rig.outside.heard().strength(425)).toBeGreaterThan(LOUD / 4));
    expect(call.isOver()).toBe(false);
    await call.hangUp();
    const [message, ...legs] = await rig.legsOf(caller);
    expect(message).toMatchObject({
      destination: { number: '', name: 'Good morning', channel: 'App:announce' },
    });
    expect([message!, ...legs].map(told)).toEqual(['announce NO ANSWER/CONTINUE', '206 NO ANSWER']);
    expect(message!.endedAt - message!.startedAt).toBeGreaterThanOrEqual(900);
    // The route's timeout begins after the message.
    expect(legs[0]!.endedAt - legs[0]!.startedAt).toBeGreaterThanOrEqual(900);

    const second = nextCaller();
    const ended = rig.outside.call('4930444', { caller: second });
    await soon(() => expect(ended.isOver()).toBe(true));
    expect((await rig.legsOf(second)).map(told)).toEqual(['announce NO ANSWER/CONTINUE']);

    // Keys do not end a message, and do not count as entries of a menu after it.
    rig.outside.forget();
    const third = nextCaller();
    const pressing = rig.outside.call('4930555', { caller: third, hasKeys: true });
    await soon(() => expect(rig.outside.heard().secondsOf(440)).toBeGreaterThan(0));
    await pressing.press('1');
    await soon(() => expect(pressing.isOver()).toBe(true));
    expect(rig.outside.heard().secondsOf(440)).toBeGreaterThan(0.9);
    const stays = await rig.legsOf(third);
    expect(stays.map(told)).toEqual(['announce NO ANSWER/CONTINUE', '700 ivr NO ANSWER/TIMEOUT']);
    expect(stays[1]?.dtmfDigits).toBe('t');
    await phone.leave();
  });
});
