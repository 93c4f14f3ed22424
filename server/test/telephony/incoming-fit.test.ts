import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linesOf } from '../../src/engine/asterisk/dialplan/incoming.ts';
import { renderDialplan } from '../../src/engine/asterisk/dialplan/render-dialplan.ts';
import type { Site } from '../../src/engine/asterisk/site.ts';
import { fittingRoutes, type IncomingCall } from '../../src/engine/call-flow/incoming-fit.ts';
import {
  type DesiredCallFlow,
  type DesiredIncomingRoute,
  PLAIN_CALL_FLOW,
} from '../../src/engine/desired-call-flow.ts';
import { createLoopbackNet } from '../real/loopback.ts';
import { startPlainAsterisk } from '../real/plain-asterisk.ts';
import { telephonyAvailable } from './exchange.ts';

const FLOWS = 60;
const CALLS = 50;
const SEED = 22;

/** Few characters and short numbers, so that routes and calls match often. */
const digits = fc.array(fc.constantFrom('0', '1', '4', '9'), { minLength: 1, maxLength: 6 }).map(join);
const number = fc.tuple(fc.constantFrom('', '', '', '+', '00', '0', '+49', '049'), digits).map(join);
const sign = fc.constantFrom('0', '1', '4', '9', 'X', 'Z', 'N', '[0-4]', '[149]');
const pattern = fc
  .tuple(
    fc.constantFrom('_', ''),
    fc.array(sign, { minLength: 1, maxLength: 5 }).map(join),
    fc.constantFrom('', '.', '!'),
  )
  .map(join);
/** Patterns as long as the field allows. */
const longPattern = fc
  .tuple(fc.constantFrom('X'.repeat(22), '[0-9]'.repeat(9), 'X'.repeat(48)), fc.constantFrom('', '!', '.'))
  .map((parts) => `_${join(parts)}`);
const longNumber = fc.integer({ min: 9, max: 49 }).map((length) => '4901'.repeat(13).slice(0, length));
const name = fc.constantFrom('sales', 'Sales.EU', 'sales_1', 'h2');
const ending = fc.record({
  number: fc.tuple(fc.constantFrom('', '0', '4'), digits).map(join),
  match: fc.constant('ends'),
});
const wanted = fc.oneof(
  ending,
  fc.record({
    number: fc.oneof(number, pattern, longPattern, name, fc.constant('')),
    match: fc.constant('exact'),
  }),
);
const caller = fc.oneof(
  fc.constantFrom('anonymous', '+4*', '0*', '1*', '+49*'),
  number,
  number.map((text) => `${text}*`),
);
const route = fc.record({
  wanted,
  providerId: fc.constantFrom('', '', 'SIP-A', 'SIP-B'),
  callers: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(caller, { maxLength: 3 })),
  priority: fc.integer({ min: 0, max: 4 }),
});
const flow = fc
  .tuple(
    fc.array(route, { minLength: 1, maxLength: 25 }),
    fc.constantFrom('', '49', '1'),
    fc.constantFrom('0', ''),
    fc.constantFrom('00', '011', ''),
  )
  .map(
    ([routes, countryCode, nationalPrefix, internationalPrefix]): DesiredCallFlow => ({
      ...PLAIN_CALL_FLOW,
      numbering: { extensionLength: 3, countryCode, nationalPrefix, internationalPrefix },
      incomingRoutes: routes.map(
        ({ wanted: { number, match }, ...fields }, at) =>
          ({
            id: at + 2,
            name: '',
            target: '201',
            timeoutSeconds: 0,
            soundId: '',
            number,
            match,
            ...fields,
          }) as DesiredIncomingRoute,
      ),
    }),
  );
const call = fc.record({
  providerId: fc.constantFrom('SIP-A', 'SIP-B', 'SIP-C'),
  number: fc.oneof({ weight: 6, arbitrary: number }, longNumber, name, fc.constantFrom('', '*31#4', 'SALES')),
  caller: fc.oneof({ weight: 4, arbitrary: number }, fc.constantFrom('', 'anonymous', 'Anna')),
});

function join(parts: readonly string[]): string {
  return parts.join('');
}

/** The contexts that decide, without those that ring anybody. */
const DECIDING = /^\[pbx-(called|normalised|caller|fit|found)/;

/** Every configuration with its own names, and an extension for each that decides all its calls and prints how. */
function dialplan(flows: readonly (readonly [DesiredCallFlow, readonly IncomingCall[]])[]): string {
  const site = { recordingsDir: '/srv', journalFile: '/srv/journal.csv' } as Site;
  const parts = flows.map(([callFlow, calls], at) => {
    const state = { extensions: [], providers: [], refusedSources: [], callFlow };
    const rendered = renderDialplan(state, site).get('extensions.conf') ?? '';
    const deciding = rendered.split(/^(?=\[)/m).filter((section) => DECIDING.test(section));
    const lines = linesOf(callFlow);
    const steps = calls.map(
      ({ providerId, number, caller }, n) => `
 same => n,MSet(PBX_ROUTES=,PBX_LINE=${lines.get(providerId) ?? ''},PBX_DID=${number},CALLERID(num)=${caller})
 same => n,Gosub(pbx-fits,s,1)
 same => n,Log(NOTICE,fit ${at} ${n} ${'${PBX_ROUTES}'}.)`,
    );
    const cases = `[cases]\nexten => ${at},1,NoOp()${steps.join('')}\n same => n,Hangup()\n`;
    return `${deciding.join('')}${cases}`.replaceAll('pbx-', `f${at}-`);
  });
  return `[general]\n${parts.join('\n')}`;
}

describe.skipIf(!telephonyAvailable())('contract 22: which routes fit a call', () => {
  test('the engine and the explanation agree for any routes, numbers and callers', async () => {
    const calls = fc.array(call, { minLength: CALLS, maxLength: CALLS });
    const flows = fc.sample(fc.tuple(flow, calls), { numRuns: FLOWS, seed: SEED });
    const asterisk = await startPlainAsterisk({
      address: createLoopbackNet().next(),
      pjsip: '',
      extensions: dialplan(flows),
      modules: 'app_exec func_cut func_logic func_dialplan'.split(' '),
    });
    try {
      for (const at of flows.keys()) {
        await asterisk.originate({
          channel: `Local/${at}@cases/n`,
          callerId: '<1>',
          context: 'none',
          extension: 's',
        });
        await asterisk.process.said(new RegExp(`fit ${at} ${CALLS - 1} `));
      }
      const said = new Map(
        asterisk.process.lines.flatMap((line) => {
          const [, place, routes = ''] = /fit (\d+ \d+) ([\d-]*)\./.exec(line) ?? [];
          return place === undefined ? [] : [[place, routes]];
        }),
      );
      let fitted = 0;
      for (const [at, [callFlow, made]] of flows.entries())
        for (const [n, one] of made.entries()) {
          const expected = fittingRoutes(callFlow, one).routes.map(({ id }) => id);
          if (expected.length > 0) fitted += 1;
          const about = JSON.stringify({
            one,
            numbering: callFlow.numbering,
            routes: callFlow.incomingRoutes,
          });
          expect(said.get(`${at} ${n}`), about).toBe([...expected, 1].join('-'));
        }
      console.info(`${FLOWS * CALLS} calls decided alike, ${fitted} of them by a route`);
      expect(fitted).toBeGreaterThan(FLOWS * CALLS * 0.3);
    } finally {
      await asterisk.stop();
    }
  });
});
