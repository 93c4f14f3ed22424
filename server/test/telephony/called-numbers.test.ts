import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { telephonyAvailable } from './exchange.ts';
import { defaultRoute, type FlowRig, incomingRoute, openFlowRig, told } from './flow-rig.ts';

/** Includes the engine's special extensions: h, i, t, T, s, o, a, e. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Neither digits nor a name. */
const ODD = [
  '-',
  '_x',
  '.5',
  '(030)1',
  '1a',
  '30,1',
  '!',
  '~h',
  '%C3%A4',
  '%20',
  '%24%7BEXTEN%7D',
  '4930%29%3A0%3A4',
  "'",
];

/** Dialled by an internal phone; with digits followed by other characters, the engine might match the digits only. */
const DIALLED = [
  'alice',
  'Sales.EU',
  '10a',
  '201x',
  'h',
  'i',
  's',
  '-',
  '_x',
  '.5',
  '%24%7BEXTEN%7D',
  '201%29%3A0%3A1',
];

describe.skipIf(!telephonyAvailable())('odd numbers called through providers', () => {
  let rig: FlowRig;
  let callers = 0;

  beforeAll(async () => {
    rig = await openFlowRig();
    await rig.serve(['201', '202', '203', '204'], {
      incomingRoutes: [
        incomingRoute(2, 'sales.eu', '202'),
        incomingRoute(3, '4930', '203'),
        incomingRoute(4, '', '201'),
      ],
      defaultRoute: defaultRoute(''),
    });
  });
  afterAll(() => rig?.close());

  /** Nobody has a phone, so that the leg shows the route's target. */
  async function legOf(number: string) {
    const caller = `01701${++callers}`;
    const status = await rig.outside.call(number, { caller }).outcome();
    const [leg, ...more] = await rig.legsOf(caller);
    if (!leg) throw new Error('no leg');
    expect(more, number).toEqual([]);
    return { number, status, leg: told(leg), did: leg.did };
  }

  test('22.12, 21.8: a single letter or another odd text fits routes for any number and leaves a record', async () => {
    for (const number of [...LETTERS, ...ODD])
      expect(await legOf(number)).toEqual({ number, status: 480, leg: '201 CHANUNAVAIL', did: '' });
    console.info(`${LETTERS.length} letters, ${ODD.length} odd numbers`);
  });

  test('22.2: names and digits take the routes that name them', async () => {
    expect(await legOf('Sales.EU')).toMatchObject({ leg: '202 CHANUNAVAIL', did: 'Sales.EU' });
    expect(await legOf('4930')).toMatchObject({ leg: '203 CHANUNAVAIL', did: '4930' });
    expect(await legOf('sales')).toMatchObject({ leg: '201 CHANUNAVAIL', did: 'sales' });
  });

  test('21.8: an employee who dials no valid number gets 404, and the record says what it was', async () => {
    const phone = await rig.phone('204');
    for (const number of DIALLED) {
      rig.forget();
      await phone.dial(`sip:${number}@${rig.address}`);
      expect((await phone.next('CALL_CLOSED')).param, number).toMatch(/^404/);
      const legs = await rig.legsOf('204');
      expect(legs.map(told)).toEqual([`${decodeURIComponent(number)} FAILED/NOROUTE`]);
    }
    console.info(`${DIALLED.length} dialled`);
  });
});
