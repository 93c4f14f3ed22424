import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queue } from '../../src/engine/engine.suite.ts';
import type { Phone } from '../real/baresip.ts';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { menu } from './flow-rig.ts';
import { type OutboundRig, openOutboundRig, route } from './outbound-rig.ts';
import { VECTORS } from './outbound-vectors.ts';
import { members } from './queue-rig.ts';

const BUSY = '486 Busy Here';
const OVERLOADED = '503 Service Unavailable';
const TAKES = '200 OK';

describe.skipIf(!telephonyAvailable())('outbound routes', () => {
  let rig: OutboundRig;
  let anna: Phone;
  let boris: Phone;

  beforeAll(async () => {
    rig = await openOutboundRig();
    await rig.serve({});
    anna = await rig.phone('201');
    boris = await rig.phone('202');
  });
  afterAll(() => rig?.close());
  const numbers = (asked: readonly { provider: string; number: string }[]) =>
    asked.map(({ provider, number }) => `${provider} ${number}`);

  test('23.1 without a route every provider is asked in order, with the number as dialled', async () => {
    await rig.serve({});
    rig.say({ P: OVERLOADED, Q: '404 Not Found', R: BUSY });
    const { told, legs, asked } = await rig.call(anna, '+4930*1#');
    expect(numbers(asked)).toEqual(['P +4930*1#', 'Q +4930*1#', 'R +4930*1#']);
    expect(legs).toEqual(['+4930*1# P FAILED', '+4930*1# Q CHANUNAVAIL', '+4930*1# R BUSY']);
    expect(told).toMatch(/^486/);
  });

  test('V12, 23.5, 23.7, 23.11: after a refusal comes the next route; the record has the dialled number', async () => {
    await rig.serve({
      callFlow: {
        outboundRoutes: [
          route(1, { beginsWith: '0', restDigits: 6, trim: 1, prepend: '+49' }),
          route(2, { providerId: 'SIP-Q', callerId: '+493055' }),
        ],
      },
    });
    rig.say({ P: OVERLOADED, Q: TAKES });
    const { legs, asked, ended } = await rig.call(anna, '0301234', 'answered');
    expect(numbers(asked)).toEqual(['P +49301234', 'Q 0301234']);
    expect(legs).toEqual(['0301234 P FAILED', '0301234 Q ANSWERED']);
    expect(asked[1]?.header('P-Asserted-Identity')).toBe(`<sip:+493055@${rig.peers.Q.address}>`);
    expect(ended.map(({ source }) => source.number)).toEqual(['201', '201']);
  });

  test('23.5 a provider that is busy or rings decides the call; a silent one is skipped after 8 s', async () => {
    const outboundRoutes = [route(1), route(2, { providerId: 'SIP-Q' })];
    await rig.serve({ callFlow: { outboundRoutes } });
    rig.say({ P: BUSY, Q: TAKES });
    expect((await rig.call(anna, '0301234')).legs).toEqual(['0301234 P BUSY']);
    rig.say({ P: '603 Decline', Q: TAKES });
    expect(await rig.call(anna, '0301234')).toMatchObject({
      legs: ['0301234 P BUSY'],
      told: expect.stringMatching(/^486/),
    });
    rig.say({ Q: TAKES });
    const silent = await rig.call(anna, '0301234', 'answered');
    expect(silent.legs).toEqual(['0301234 P CHANUNAVAIL', '0301234 Q ANSWERED']);
    const [waited] = silent.ended;
    const silence = waited!.endedAt - waited!.startedAt;
    expect(silence).toBeGreaterThanOrEqual(7_500);
    // How late it is noticed depends on the machine.
    expect(silence).toBeLessThan(30_000);
    rig.say({ P: '180 Ringing', Q: TAKES });
    const rung = await rig.outcome(
      () => anna.dial('0301234'),
      async () => {
        await anna.next('CALL_RINGING');
        await anna.hangUp();
        await anna.next('CALL_CLOSED');
        return 'given up';
      },
    );
    expect(rung.legs).toEqual(['0301234 P NO ANSWER']);
  });

  test('23.4, 23.6 a provider can have several routes with other prefixes; disabled and digitless routes are skipped', async () => {
    await rig.serve({
      callFlow: {
        outboundRoutes: [
          route(1, { isDisabled: true }),
          route(2, { beginsWith: '00', trim: 2, prepend: '+' }),
          route(3, { prepend: '1#' }),
          route(4, { prepend: '2*' }),
          route(5, { providerId: 'SIP-AWAY' }),
          route(6, { beginsWith: '+0', providerId: 'SIP-Q', trim: 1 }),
        ],
      },
    });
    rig.say({ P: OVERLOADED, Q: BUSY });
    expect(numbers((await rig.call(anna, '00')).asked)).toEqual(['P 1#00', 'P 2*00']);
    expect(numbers((await rig.call(anna, '+00')).asked)).toEqual(['P 1#00', 'P 2*00', 'Q 0']);
  });

  test('23.8 if no route fits: NOROUTE and 404; if all fail: the cause of the last', async () => {
    await rig.serve({ callFlow: { outboundRoutes: [route(1, { beginsWith: '7' })] } });
    rig.say({ P: OVERLOADED });
    const nobody = await rig.call(anna, '0301234');
    expect(nobody).toMatchObject({ told: expect.stringMatching(/^404/), legs: ['0301234  FAILED/NOROUTE'] });
    expect((await rig.call(anna, '7301234')).told).toMatch(/^503/);
    await rig.serve({ callFlow: { outboundRoutes: [] } });
    expect((await rig.call(anna, '7301234')).legs).toEqual(['7301234  FAILED/NOROUTE']);
  });

  test('V13, 23.9 a route above the class does not fit; if only such routes fit: RESTRICTED and 403', async () => {
    const extensions = [
      { number: '201', callClass: 'national' as const },
      { number: '202', callClass: 'internal' as const },
    ];
    const abroad = route(1, { beginsWith: '00', callClass: 'international' });
    await rig.serve({
      extensions,
      callFlow: {
        emergencyNumbers: ['112'],
        outboundRoutes: [
          abroad,
          route(2, { beginsWith: '001', providerId: 'SIP-Q' }),
          route(3, { beginsWith: '0[1-9]' }),
        ],
      },
    });
    rig.say({ P: TAKES, Q: TAKES });
    const restricted = { told: expect.stringMatching(/^403/), asked: [] };
    expect(await rig.call(anna, '0044')).toMatchObject({
      ...restricted,
      legs: ['0044  FAILED/RESTRICTED'],
    });
    expect(numbers((await rig.call(anna, '0012', 'answered')).asked)).toEqual(['Q 0012']);
    expect(numbers((await rig.call(anna, '0301234', 'answered')).asked)).toEqual(['P 0301234']);
    expect(await rig.call(boris, '0301234')).toMatchObject({
      ...restricted,
      legs: ['0301234  FAILED/RESTRICTED'],
    });
    expect((await rig.call(boris, '112', 'answered')).legs).toEqual(['112 P ANSWERED']);
    await rig.serve({ extensions });
    expect(await rig.call(boris, '0301234')).toMatchObject(restricted);
    expect(numbers((await rig.call(anna, '0044', 'answered')).asked)).toEqual(['P 0044']);
  });

  test('23.9 numbers stored by the operator ignore the class: forwards, targets, members of queues', async () => {
    const there = '0301234';
    const forward = { onNoAnswer: '', onBusy: '', onUnavailable: there };
    const callFlow = {
      outboundRoutes: [route(1, { callClass: 'premium' })],
      menus: [menu('700', { timeoutSeconds: 60, actions: [{ digits: '1', target: there }] })],
      queues: [queue('600', { members: members(there) })],
    };
    const internal = { number: '202', callClass: 'internal' } as const;
    await rig.serve({ extensions: [internal, { number: '203', forward }], callFlow });
    rig.say({ P: BUSY });
    expect((await rig.call(boris, there)).legs).toEqual([`${there}  FAILED/RESTRICTED`]);
    expect((await rig.call(boris, '203')).legs).toEqual(['203  CHANUNAVAIL', `${there} P BUSY`]);
    const chosen = await rig.outcome(
      () => boris.dial('700'),
      async () => {
        await boris.next('CALL_ESTABLISHED');
        await boris.press('1');
        return (await boris.next('CALL_CLOSED')).param ?? '';
      },
    );
    expect(chosen.legs).toEqual(['700  NO ANSWER/CONTINUE', `${there} P BUSY`]);
    rig.say({ P: TAKES });
    const taken = await rig.call(boris, '600', 'answered');
    expect(taken.legs.toSorted()).toEqual([`${there} P ANSWERED`, '600  ANSWERED/ANSWER']);
  });

  test('23.10 an emergency call tries fitting routes, then all other providers, and sends one event', async () => {
    await rig.serve({
      extensions: [{ number: '202', name: 'Boris', callClass: 'internal' }],
      callFlow: {
        emergencyNumbers: ['112', '911'],
        outboundRoutes: [
          route(1, { beginsWith: '112', restDigits: 0, providerId: 'SIP-Q', callClass: 'premium' }),
          route(2, { beginsWith: '0' }),
        ],
      },
    });
    rig.say({ P: OVERLOADED, Q: OVERLOADED, R: TAKES });
    const from = rig.events.length;
    const { asked } = await rig.call(boris, '112', 'answered');
    expect(numbers(asked)).toEqual(['Q 112', 'P 112', 'R 112']);
    const told = rig.events.slice(from).filter(({ type }) => type === 'emergency-call');
    expect(told).toEqual([
      {
        type: 'emergency-call',
        linkedId: expect.any(String),
        callerNumber: '202',
        callerName: 'Boris',
        number: '112',
        providerId: 'SIP-Q',
      },
    ]);
  });

  test('23.10 an emergency number that is also the mobile of an employee goes out as an emergency call', async () => {
    const mobile = { number: '112', dialString: '0170' };
    await rig.serve({
      extensions: [
        { number: '201', mobile },
        { number: '202', callClass: 'internal' },
      ],
      callFlow: { emergencyNumbers: ['112'] },
    });
    rig.say({ P: OVERLOADED, Q: TAKES });
    const from = rig.events.length;
    expect(numbers((await rig.call(boris, '112', 'answered')).asked)).toEqual(['P 112', 'Q 112']);
    expect(rig.events.slice(from).filter(({ type }) => type === 'emergency-call')).toHaveLength(1);
  });

  test('27.19 a number that begins with a feature code goes out, unless the rest is a queue number', async () => {
    await rig.serve({
      extensions: [{ number: '202', mobile: { number: '45999123', dialString: '' } }],
      callFlow: {
        featureCodes: { night: '', queueLogin: '45', queuePause: '' },
        queues: [queue('600')],
      },
    });
    rig.say({ P: BUSY });
    expect(numbers((await rig.call(anna, '4512345678')).asked)).toEqual(['P 4512345678']);
    expect(numbers((await rig.call(anna, '45999123')).asked)).toEqual(['P 45999123']);
    expect(await rig.call(anna, '45600')).toMatchObject({ asked: [], legs: ['45600  FAILED/NOROUTE'] });
  });

  test('23.9 a transfer obeys the class of the employee who transfers', async () => {
    const outboundRoutes = [route(1)];
    const transferTo = async (number: string) => {
      await anna.dial('202');
      await boris.next('CALL_INCOMING');
      await boris.answer();
      await Promise.all([anna.next('CALL_ESTABLISHED'), boris.next('CALL_ESTABLISHED')]);
      await boris.transfer(number);
    };
    rig.say({ P: TAKES });
    await rig.serve({
      extensions: [{ number: '202', callClass: 'internal' }],
      callFlow: { outboundRoutes },
    });
    const refused = await rig.outcome(
      () => transferTo('0301234'),
      async () => {
        // The call returns to the phone that transferred it.
        await boris.next('CALL_INCOMING');
        await anna.hangUp();
        await Promise.all([anna.next('CALL_CLOSED'), boris.next('CALL_CLOSED')]);
        return '';
      },
    );
    expect(refused.asked).toEqual([]);
    expect(refused.legs.slice(0, 2)).toEqual(['202  ANSWERED', '0301234  FAILED/RESTRICTED']);
    await rig.serve({
      extensions: [{ number: '201', callClass: 'internal' }],
      callFlow: { outboundRoutes },
    });
    const taken = await rig.outcome(
      () => transferTo('0301234'),
      async () => {
        await soon(() =>
          expect(rig.events.findLast(({ type }) => type === 'leg-changed')).toMatchObject({
            leg: { destination: { number: '0301234' } },
          }),
        );
        await anna.hangUp();
        await anna.next('CALL_CLOSED');
        return '';
      },
    );
    expect(taken.legs).toEqual(['202  ANSWERED', '0301234 P ANSWERED']);
  });

  test.each(VECTORS)('23.2 to 23.4 a route %s dials for %s on the engine %s', async (text, dialled, out) => {
    const [beginsWith = '', rest = '', trim = '', prepend = ''] = text.split('/');
    const fields = { beginsWith, restDigits: Number(rest), trim: Number(trim), prepend };
    await rig.serve({ callFlow: { outboundRoutes: [route(1, fields)] } });
    rig.say({ P: BUSY });
    expect(numbers((await rig.call(anna, dialled)).asked)).toEqual(out === '' ? [] : [`P ${out}`]);
  });

  test('the fitting route is found among 1000, even as the last one', async () => {
    const routes = Array.from({ length: 999 }, (_, at) =>
      route(at + 1, { beginsWith: `(7|8)${1000 + at}XXX` }),
    );
    const outboundRoutes = [...routes, route(1000, { beginsWith: '0', providerId: 'SIP-Q' })];
    const began = performance.now();
    await rig.serve({ callFlow: { outboundRoutes } });
    const applied = performance.now();
    rig.say({ P: BUSY, Q: BUSY });
    expect(numbers((await rig.call(anna, '0301234')).asked)).toEqual(['Q 0301234']);
    const called = performance.now();
    expect(numbers((await rig.call(anna, '+81998123456')).asked)).toEqual(['P +81998123456']);
    console.info(
      `1000 routes: told in ${Math.round(applied - began)} ms, a call over the last one ${Math.round(called - applied)} ms`,
    );
  });
});
