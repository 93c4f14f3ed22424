import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queue } from '../../src/engine/engine.suite.ts';
import { telephonyAvailable } from './exchange.ts';
import { defaultRoute, type FlowRig, incomingRoute, openFlowRig, trunkAt } from './flow-rig.ts';
import { members, shown } from './queue-rig.ts';

/** Texts special to a dialplan: ends of arguments, offsets, functions, separators, substitutes for parentheses. */
const TEXTS = [
  'Anna :) : x',
  'x):0:0',
  'x):-3',
  '):',
  '))))::::',
  'Firma (Berlin): Anna',
  '((',
  '${SHELL(id)}):1:2',
  '$[1+1]',
  'a,b|c&d^e',
  '"quoted" \\ and):0:1',
  '%29%3A%01 =Lg==',
  `${'x'.repeat(70)}):0:1`,
];
const encoded = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe.skipIf(!telephonyAvailable())('texts from callers in the dialplan', () => {
  let rig: FlowRig;

  beforeAll(async () => {
    rig = await openFlowRig();
  });
  afterAll(() => rig?.close());

  test('a name and a number are recorded unchanged, whatever they mean to the engine', async () => {
    await rig.serve(['201'], {
      incomingRoutes: [incomingRoute(2, '4930', '201')],
      defaultRoute: defaultRoute(''),
    });
    for (const [at, name] of TEXTS.entries()) {
      const caller = `0170${at}`;
      await rig.outside.call('4930', { caller, name }).outcome();
      const [leg, ...more] = await rig.legsOf(caller);
      expect(leg && { source: leg.source.name, leg: shown(leg), more }).toEqual({
        source: name,
        leg: '201 CHANUNAVAIL',
        more: [],
      });
    }
    // A semicolon and a blank end a number on the wire.
    const numbers = TEXTS.filter((text) => !/[ ;]/.test(text) && text.length < 60);
    for (const [at, text] of numbers.entries()) {
      const number = `0171${at}${text}`;
      await rig.outside.call('4930', { caller: `0171${at}${encoded(text)}`, name: 'Outside' }).outcome();
      const [leg] = await rig.legsOf(number);
      expect(leg && [leg.source.number, leg.source.name]).toEqual([number, 'Outside']);
    }
    console.info(`${TEXTS.length} names, ${numbers.length} numbers`);
  });

  test('contract 27.14: such a name follows the prefix of a queue on the phone of the member', async () => {
    const name = 'Anna :) : ${EPOCH}, x):0:2';
    await rig.serve(['201'], {
      queues: [queue('600', { members: members('201'), callerIdPrefix: 'Sales):1:1' })],
      incomingRoutes: [incomingRoute(2, '4930', '600')],
    });
    const anna = await rig.phone('201');
    const call = rig.outside.call('4930', { caller: '01720', name });
    expect((await anna.next('CALL_INCOMING')).peerdisplayname).toBe(`Sales):1:1: ${name}`);
    await call.hangUp();
    for (const { source } of await rig.legsOf('01720')) expect(source.name).toBe(name);
    await anna.leave();
  });

  test('the number of a caller is read from a header, whatever name precedes it', async () => {
    const rule = { source: 'from', customHeader: '', parserStart: '', parserEnd: '', parserRegex: '' };
    const trunk = trunkAt('SIP-A', rig.outside.address, { callerIdRule: rule });
    await rig.serve(['201'], { incomingRoutes: [incomingRoute(2, '4930', '201')] }, [trunk]);
    for (const [at, name] of TEXTS.entries()) {
      const caller = `0173${at}`;
      await rig.outside.call('4930', { caller, name }).outcome();
      expect((await rig.legsOf(caller)).map(({ source }) => source.number)).toEqual([caller]);
    }
  });

  test('a dialled text that is more than a number reaches nobody and leaves a record', async () => {
    await rig.serve(['201', '202'], { defaultRoute: defaultRoute('') });
    const anna = await rig.phone('201');
    const dialled = [
      '0301):0:4',
      '03x):0',
      '0301,PBX_DIALLED=1',
      '0301):0:4,PBX_CLASS=3',
      '0301&PJSIP/202',
      '202):0:3',
    ];
    for (const text of dialled) {
      rig.forget();
      await anna.dial(`sip:${encoded(text)}@${rig.address}`);
      expect((await anna.next('CALL_CLOSED')).param, text).toMatch(/^404/);
      const legs = await rig.legsOf('201');
      expect(
        legs.map(({ dialStatus, toProvider }) => [dialStatus, toProvider]),
        text,
      ).toEqual([['NOROUTE', '']]);
    }
    console.info(`${dialled.length} odd numbers`);
    await anna.leave();
  });
});
