import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DesiredCallFlow, DesiredMenu } from '../../src/engine/desired-call-flow.ts';
import { extension, queue } from '../../src/engine/engine.suite.ts';
import { startPeer } from '../real/sip-peer.ts';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { defaultRoute, type FlowRig, incomingRoute, openFlowRig, trunkAt } from './flow-rig.ts';
import { members } from './queue-rig.ts';

/** All outside numbers that the operator stored as targets. */
const STORED = {
  mobile: '01701000201',
  forward: '0302000202',
  atOnce: '+49303000203',
  action: '0304000001',
  wrongEntry: '0305000001',
  route: '0306000001',
  member: '0307000001',
  empty: '0308000001',
};
const SEED = 216;
const CALLS_PER_FLOW = 320;
const PRESSING = 420;
const TRANSFERS = 60;
const AT_ONCE = 40;

const EMPLOYEES = [
  extension('201', { mobile: { number: STORED.mobile, dialString: '' } }),
  extension('202', { forward: { onNoAnswer: '', onBusy: '', onUnavailable: STORED.forward } }),
  extension('203', {
    ringSeconds: 0,
    forward: { onNoAnswer: STORED.atOnce, onBusy: '', onUnavailable: '' },
  }),
  extension('204', { forward: { onNoAnswer: '', onBusy: '', onUnavailable: 'did2user' } }),
  extension('205', { forward: { onNoAnswer: '', onBusy: '', onUnavailable: '701' } }),
];

const menu = (number: string, fields: Partial<DesiredMenu>): DesiredMenu => ({
  id: `IVR-${number}`,
  number,
  name: '',
  soundId: '',
  timeoutSeconds: 1,
  repeats: 0,
  onTimeout: 'hangup',
  onInvalid: 'hangup',
  timeoutSoundId: '',
  invalidSoundId: '',
  isDirect: true,
  actions: [],
  ...fields,
});
const to = (digits: string, target: string) => ({ digits, target });
const MENUS = [
  menu('700', {
    actions: [to('1', STORED.action), to('5', '202'), to('6', '600'), to('9', '701'), to('*', '204')],
  }),
  menu('701', { actions: [to('1', '700')], onInvalid: STORED.wrongEntry, onTimeout: '203' }),
  menu('702', { actions: [to('0', '201'), to('00', '204'), to('001', '700')], onInvalid: '701', repeats: 1 }),
  menu('703', { isDirect: false, onInvalid: 'did2user', onTimeout: 'did2user' }),
];
const HOUSE: Partial<DesiredCallFlow> = {
  menus: MENUS,
  queues: [
    queue('600', {
      members: members('201', STORED.member),
      timeoutSeconds: 2,
      onTimeout: 'did2user',
      hears: 'moh',
    }),
    queue('601', { members: [], onEmpty: STORED.empty }),
  ],
  emergencyNumbers: ['112', '911'],
  featureCodes: { night: '*28', queueLogin: '*45', queuePause: '*46' },
};

/** Each routes calls from outside by another rule. */
const FLOWS: readonly Partial<DesiredCallFlow>[] = [
  { defaultRoute: defaultRoute('') },
  { defaultRoute: defaultRoute('did2user', { didToExtension: false }) },
  { defaultRoute: defaultRoute('did2user'), incomingRoutes: [incomingRoute(2, '_00X.', '204')] },
  {
    defaultRoute: defaultRoute(STORED.route),
    incomingRoutes: [incomingRoute(2, '', '203', { callers: ['0049*', 'anonymous'] })],
  },
  {
    defaultRoute: defaultRoute(''),
    incomingRoutes: [
      incomingRoute(2, '', STORED.mobile),
      incomingRoute(3, '2345', '202', { match: 'ends' }),
      incomingRoute(4, '112', 'did2user'),
    ],
  },
];

const digits = fc.stringMatching(/^[0-9]{1,14}$/);
/** Numbers that a toll fraudster would dial. */
const wanted = fc.oneof(
  fc.tuple(fc.constantFrom('00', '011', '0', '+', '0900', '00881', '*', '#', '9', ''), digits).map(join),
  fc.constantFrom(
    '112',
    '911',
    '*28',
    '*45',
    '*46600',
    '600',
    '601',
    '*',
    '#',
    STORED.mobile,
    STORED.forward,
  ),
  fc.tuple(fc.constantFrom('201', '202', '204', '700', '701', '20', '7'), digits).map(join),
);
const text = fc.oneof(
  { weight: 8, arbitrary: wanted.map(encodeURIComponent) },
  fc.constantFrom(
    ...['hangup', 'did2user', 'voicemail', 's', 'i', 't', 'h', 'loop', 'pbx-elsewhere', 'none', '_X.', '20X'],
    ...[
      '201%26PJSIP%2F0030123%40SIP-A',
      '%24%7BEXTEN%7D',
      '0030123;user=phone',
      '2-0-1',
      '%2C0030123',
      '%23',
    ],
    ...['SIP-A', 'pbx-out', '0030123%40SIP-A', 'Local%2F0030123%40pbx-out'],
  ),
);
const header = (number: string) => [
  [],
  [`P-Asserted-Identity: <sip:201@x>`],
  [`Diversion: <sip:${number}@x>;reason=unconditional`],
  [`Refer-To: <sip:${number}@x>`, 'Referred-By: <sip:201@x>'],
  [`Replaces: outside1;to-tag=1;from-tag=1`],
  [`Alert-Info: <sip:${number}@x>`, `X-PBX_TARGET: ${number}`],
];
const pressed = fc
  .oneof(
    { weight: 5, arbitrary: fc.tuple(wanted, fc.constantFrom('', '#', '##')).map(join) },
    fc.tuple(fc.constantFrom('1', '5', '6', '9', '*', '00', '001', '201'), wanted).map(join),
    fc.stringMatching(/^[0-9*#A-D]{1,12}$/),
  )
  .map((keys) => keys.replaceAll('+', ''));

function join(parts: readonly string[]): string {
  return parts.join('');
}

/** Runs `work` for all items, at most `AT_ONCE` at a time. */
async function all<T>(items: readonly T[], work: (item: T, at: number) => Promise<void>): Promise<void> {
  const left = items.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [at, item] of left) await work(item, at);
    }),
  );
}

describe.skipIf(!telephonyAvailable())(
  'contract 21.6: digits from outside callers never leave the house',
  () => {
    let rig: FlowRig;
    /** The number of every INVITE sent to a provider. */
    const asked: string[] = [];
    const ends: (() => Promise<void>)[] = [];
    let providers: ReturnType<typeof trunkAt>[];
    let tries = 0;

    beforeAll(async () => {
      rig = await openFlowRig();
      const sink = async (address: string) => {
        const peer = await startPeer({
          address,
          server: rig.address,
          reply(request, method) {
            if (method === 'ACK') return [];
            if (method !== 'INVITE') return [{ status: '200 OK' }];
            asked.push(decodeURIComponent(/^INVITE sips?:([^@;>]*)/.exec(request)?.[1] ?? request));
            return [{ status: '486 Busy Here' }];
          },
        });
        ends.push(() => peer.stop());
        return address;
      };
      providers = [
        trunkAt('SIP-A', await sink(rig.outside.address)),
        trunkAt('SIP-B', await sink(rig.net.next())),
      ];
    });
    afterAll(async () => {
      await rig?.close();
      for (const end of ends) await end();
    });

    const serve = (flow: Partial<DesiredCallFlow>, extensions = EMPLOYEES) =>
      rig.serve(extensions, { ...HOUSE, ...flow }, providers);
    /** Providers were asked only for stored numbers, and at least for the expected ones. */
    function onlyStored(...expected: readonly string[]): void {
      const known = new Set<string>(Object.values(STORED));
      expect([...new Set(asked)].filter((number) => !known.has(number))).toEqual([]);
      for (const number of expected) expect(asked).toContain(number);
      console.info(`${tries} tries, ${asked.length} invitations, all to what is stored`);
    }

    test('whatever number they call, for any routes', async () => {
      for (const flow of FLOWS) {
        await serve(flow);
        const calls = fc.sample(fc.tuple(text, wanted, fc.nat(5)), { numRuns: CALLS_PER_FLOW, seed: SEED });
        await all(calls, async ([number, caller, at]) => {
          tries += 1;
          const call = rig.outside.call(number, {
            caller: encodeURIComponent(caller),
            more: header(caller)[at] ?? [],
          });
          const status = await call.outcome().catch((error) => {
            throw new Error(`${number} from ${caller} ${at}`, { cause: error });
          });
          if (status < 300) await call.hangUp();
        });
      }
      onlyStored(STORED.forward, STORED.atOnce, STORED.mobile, STORED.route, STORED.empty);
    }, 240_000);

    test('whatever they press in menus, with direct dialling or without (contract 25.6)', async () => {
      const incomingRoutes = MENUS.map(({ number }, at) => incomingRoute(2 + at, `49300${number}`, number));
      await serve({ incomingRoutes, defaultRoute: defaultRoute('') });
      const callers = fc.sample(fc.tuple(pressed, fc.constantFrom(...MENUS)), {
        numRuns: PRESSING,
        seed: SEED,
      });
      let heard = 0;
      rig.forget();
      await all(callers, async ([keys, { number }], at) => {
        tries += 1;
        const caller = `0152${String(at).padStart(5, '0')}`;
        const call = rig.outside.call(`49300${number}`, { caller, hasKeys: true });
        expect(await call.outcome()).toBe(200);
        await call.press(keys);
        await soon(() => expect(call.isOver()).toBe(true), 60_000);
        const [leg] = await rig.legsOf(caller);
        if (/[0-9*#]/.test(leg?.dtmfDigits ?? '')) heard += 1;
      });
      // Proof that the keys arrived.
      expect(heard).toBeGreaterThan(PRESSING * 0.9);
      onlyStored(STORED.action, STORED.wrongEntry, STORED.member);
    }, 240_000);

    test('whatever transfer they request: outside callers may not transfer', async () => {
      const incomingRoutes = [incomingRoute(2, '4930700', '700'), incomingRoute(3, '4930206', '206')];
      await serve({ incomingRoutes }, [...EMPLOYEES, extension('206')]);
      const phone = await rig.phone('206');
      const numbers = fc.sample(wanted, { numRuns: TRANSFERS, seed: SEED });
      const talking = rig.outside.call('4930206');
      await phone.next('CALL_INCOMING');
      await phone.answer();
      expect(await talking.outcome()).toBe(200);
      for (const number of numbers) {
        tries += 1;
        expect(await talking.refer(`<sip:${encodeURIComponent(number)}@${rig.address}>`)).toBeGreaterThan(
          399,
        );
      }
      await all(numbers, async (number) => {
        tries += 1;
        const call = rig.outside.call('4930700', { hasKeys: true });
        expect(await call.outcome()).toBe(200);
        expect(await call.refer(`<sip:${encodeURIComponent(number)}@${rig.address}>`)).toBeGreaterThan(399);
        await call.hangUp();
      });
      expect(talking.isOver()).toBe(false);
      await talking.hangUp();
      await phone.leave();
      onlyStored();
      expect(tries).toBeGreaterThanOrEqual(2000);
    }, 240_000);

    test('a number whose employee is gone within a second after it was pressed is a wrong entry', async () => {
      const incomingRoutes = [incomingRoute(2, '4930704', '704')];
      const menus = [menu('704', { actions: [to('301', 'hangup')], timeoutSeconds: 5 })];
      const flow = { incomingRoutes, menus, defaultRoute: defaultRoute('') };
      await serve(flow, [extension('30')]);
      rig.forget();
      const call = rig.outside.call('4930704', { caller: '0153', hasKeys: true });
      expect(await call.outcome()).toBe(200);
      await call.press('30');
      // 301 begins with these digits, so the menu waits two more seconds.
      await pause(100);
      await serve(flow, [extension('31')]);
      await soon(() => expect(call.isOver()).toBe(true));
      const legs = await rig.legsOf('0153');
      expect(legs[0]?.dtmfDigits).toMatch(/^30(,i)?$/);
      onlyStored();
    });
  },
);
