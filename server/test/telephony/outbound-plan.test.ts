import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OutboundAttempt, planOutbound } from '../../src/engine/call-flow/outbound-plan.ts';
import type { DesiredOutboundRoute } from '../../src/engine/desired-call-flow.ts';
import { CALL_CLASSES } from '../../src/lib/caller-id.ts';
import type { Phone } from '../real/baresip.ts';
import { telephonyAvailable } from './exchange.ts';
import { type OutboundRig, openOutboundRig, route } from './outbound-rig.ts';

const PROVIDERS = ['SIP-P', 'SIP-Q', 'SIP-R'];
const CASES = 60;

const routes = fc.array(
  fc.record({
    providerId: fc.constantFrom(...PROVIDERS, 'SIP-GONE'),
    beginsWith: fc.constantFrom('', '0', '00', '0[1-4]', '(1|2)1', '+4', 'XX', '0N|1Z', '*'),
    restDigits: fc.constantFrom(-1, -1, -1, 0, 1, 4),
    trim: fc.constantFrom(0, 0, 1, 6),
    prepend: fc.constantFrom('', '', '7', '+', '#'),
    callerId: fc.constantFrom('', '+493055'),
    callClass: fc.constantFrom('national' as const, 'international' as const, 'premium' as const),
    isDisabled: fc.constantFrom(false, false, false, true),
  }),
  { maxLength: 6 },
);
const calls = fc.record({
  stored: fc.option(routes, { nil: undefined, freq: 8 }),
  number: fc.constantFrom('0301', '0012', '112', '+49301', '21', '02', '*1#', '13999', '+0301'),
  callClass: fc.constantFrom(...CALL_CLASSES),
  outgoingCallerId: fc.constantFrom('', '', '+493066'),
});

describe.skipIf(!telephonyAvailable())('the engine and the plan of an outbound call', () => {
  let rig: OutboundRig;
  let anna: Phone;

  beforeAll(async () => {
    rig = await openOutboundRig();
    await rig.serve({});
    rig.say({ P: '503 Service Unavailable', Q: '404 Not Found', R: '503 Service Unavailable' });
    anna = await rig.phone('201');
  });
  afterAll(() => rig?.close());

  test('the engine asks exactly the providers of the plan, with the same numbers and caller ids', async () => {
    let attempts = 0;
    for (const { stored, number, callClass, outgoingCallerId } of fc.sample(calls, {
      numRuns: CASES,
      seed: 23,
    })) {
      const outboundRoutes: DesiredOutboundRoute[] | undefined = stored?.map((fields, at) =>
        route(at + 1, fields),
      );
      await rig.serve({
        extensions: [{ number: '201', callClass, outgoingCallerId }],
        callFlow: { outboundRoutes, emergencyNumbers: ['112'] },
      });
      const planned = planOutbound(
        { number, callClass, isEmergency: number === '112', ownCallerId: outgoingCallerId },
        {
          routes: outboundRoutes,
          providers: PROVIDERS.map((id) => ({ id, isDisabled: false, isInService: true, fromUser: '' })),
        },
      );
      const { asked, told, legs } = await rig.call(anna, number);
      const shown = asked.map(
        (one) => `SIP-${one.provider} ${one.number} ${/\+\d+/.exec(one.header('P-Asserted-Identity')) ?? ''}`,
      );
      const tried = planned.filter(({ skipped }) => skipped === '');
      expect(shown, JSON.stringify({ stored, number, callClass })).toEqual(tried.map(inShort));
      if (tried.length === 0) {
        const isLimited = planned.some(({ skipped }) => skipped === 'class');
        expect([told.slice(0, 3), legs]).toEqual(
          isLimited ? ['403', [`${number}  FAILED/RESTRICTED`]] : ['404', [`${number}  FAILED/NOROUTE`]],
        );
      }
      attempts += tried.length;
    }
    console.info(`${CASES} calls over random routes, ${attempts} attempts as planned`);
  });

  test('23.5 a call tries at most a hundred routes; an emergency call then tries all providers too', async () => {
    const many = Array.from({ length: 130 }, (_, at) =>
      route(1_000_000 + at, {
        prepend: String(100 + at),
        isDisabled: at % 9 === 0,
        providerId: at % 11 === 0 ? 'SIP-GONE' : 'SIP-P',
      }),
    );
    await rig.serve({ callFlow: { outboundRoutes: many, emergencyNumbers: ['112'] } });
    const providers = PROVIDERS.map((id) => ({ id, isDisabled: false, isInService: true, fromUser: '' }));
    const planned = planOutbound({ number: '112', isEmergency: true }, { routes: many, providers });
    const tried = planned.filter(({ skipped }) => skipped === '');
    expect(tried).toHaveLength(102);
    const { asked } = await rig.call(anna, '112');
    expect(asked.map(({ provider, number }) => `SIP-${provider} ${number}`)).toEqual(
      tried.map(({ providerId, dials }) => `${providerId} ${dials}`),
    );
  });
});

const inShort = ({ providerId, dials, callerId }: OutboundAttempt): string =>
  `${providerId} ${dials} ${callerId}`;
