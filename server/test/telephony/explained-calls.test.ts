import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { provider } from '../../src/engine/call-flow/explain.suite.ts';
import { explainCall } from '../../src/engine/call-flow/explain.ts';
import type { Explanation, SupposedCall } from '../../src/engine/call-flow/explanation.ts';
import {
  type DesiredCallFlow,
  type DesiredOutboundRoute,
  PLAIN_CALL_FLOW,
} from '../../src/engine/desired-call-flow.ts';
import type { EndedLeg } from '../../src/engine/events.ts';
import { soon } from '../real/soon.ts';
import { toneWav } from '../real/tone.ts';
import { telephonyAvailable } from './exchange.ts';
import { type Configuration, configuration, together } from './explained-configurations.ts';
import { type FlowRig, incomingRoute, openFlowRig, trunkAt } from './flow-rig.ts';

const ROUNDS = 3;
const CONFIGURATIONS = 24;
const SEED = 28;
const PROVIDER = 'SIP-A';
/** It would have to register with us, and does not. */
const AWAY = 'SIP-B';

/** Stations of an explanation that leave a leg, as `shown` has them. */
const explained = ({ steps }: Explanation): string[] =>
  steps.flatMap(({ kind, id }, at) => {
    if (kind === 'employee' || kind === 'mobile' || kind === 'outside') return [id];
    if (kind === 'menu') return [`${id} ivr`];
    if (kind === 'queue') return [`${id} queue`];
    if (kind !== 'message') return [];
    return [steps[at - 1]?.kind === 'hours' ? 'offwork' : 'announce'];
  });

const shown = ({ destination, application }: EndedLeg): string =>
  [destination.number, application].filter((part) => part !== '').join(' ');

describe.skipIf(!telephonyAvailable())('contract 28.3: explanations and calls', () => {
  let rig: FlowRig;
  let file: string;
  /** One key in each menu: those have no repeats where keys are pressed. */
  const atMenu = new Map<string, () => void>();
  beforeAll(async () => {
    rig = await openFlowRig();
    rig.onMenu((caller) => atMenu.get(caller)?.());
    file = join(rig.dataDir, 'message');
    await writeFile(`${file}.wav`, toneWav(440, 1));
  }, 60_000);
  afterAll(() => rig?.close());

  /** Nobody has a phone, so that calls run through at once. */
  const supposed = (call: Pick<SupposedCall, 'number' | 'caller' | 'entries'>): SupposedCall => ({
    ...call,
    providerId: PROVIDER,
    at: Date.now(),
    isNow: true,
    present: {
      isReachable: () => false,
      memberDevice: () => 'unavailable',
      isProviderThere: (id) => id !== AWAY,
      waiting: () => 0,
    },
  });

  /** Returns how many legs there were. */
  async function check(callFlow: DesiredCallFlow, { extensions, calls }: Configuration): Promise<number> {
    let count = 0;
    await rig.serve(extensions, callFlow, [
      trunkAt(PROVIDER, rig.outside.address),
      trunkAt(AWAY, '', { registration: 'inbound', username: 'away', secret: 'long enough' }),
    ]);
    rig.forget();
    const house = {
      callFlow,
      extensions,
      providers: [provider(PROVIDER), provider(AWAY)],
      timezone: 'UTC',
    };
    await Promise.all(
      calls.map(async (one) => {
        const explanation = explainCall(house, supposed({ ...one, entries: [...one.keys] }));
        const { ends } = explanation;
        const call = rig.outside.call(one.number, { caller: one.caller, hasKeys: one.keys !== '' });
        const keys = [...one.keys];
        const answered = call.outcome();
        // The leg is told before the line is answered.
        atMenu.set(one.caller, () => void answered.then(() => call.press(keys.shift() ?? '')));
        const outcome = await answered;
        const legs = await rig.legsOf(one.caller);
        const texts = explanation.steps.map(({ text }) => text);
        const entered = legs.map(({ dtmfDigits }) => dtmfDigits);
        const about = JSON.stringify({ one, texts, ends, entered }, undefined, 1);
        const stations = explained(explanation);
        count += legs.length;
        const statuses = legs.map(
          ({ dialStatus, disposition }) => dialStatus || disposition.replace(' ', ''),
        );
        expect(legs.map(shown), about).toEqual(stations.length > 0 ? stations : [one.number]);
        expect(outcome, about).toBe(ends.sip === 0 ? 200 : ends.sip);
        // For who is answered already the word busy is a tone, and no leg.
        if (ends.dialstatus !== 'BUSY') expect(statuses.at(-1), about).toBe(ends.dialstatus);
        if (outcome === 200) await soon(() => expect(call.isOver()).toBe(true));
      }),
    );
    return count;
  }

  test('a call that goes out again and is not answered or not taken ends as it is explained', async () => {
    const call = (number: string) => ({ number, caller: `0160${number}`, keys: '' });
    const out = (id: number, beginsWith: string, providerId: string): DesiredOutboundRoute => ({
      id,
      name: '',
      providerId,
      beginsWith,
      restDigits: -1,
      trim: 0,
      prepend: '',
      callerId: '',
      forwardedCallerId: 'caller',
      callClass: 'national',
      isDisabled: false,
    });
    const numbers = ['4931', '4932', '4933', '4934'];
    await check(
      {
        ...PLAIN_CALL_FLOW,
        incomingRoutes: numbers.map((number, at) =>
          incomingRoute(at + 2, number, `0${number.slice(2)}555`, { timeoutSeconds: 1 }),
        ),
        outboundRoutes: [
          out(1, '031', PROVIDER),
          out(2, '033', AWAY),
          out(3, '034', AWAY),
          out(4, '034', PROVIDER),
        ],
      },
      { extensions: [], calls: [...numbers, '4935'].map(call) },
    );
  });

  test('whatever is stored, the chain of a call that nobody answers is the chain of its explanation', async () => {
    const drawn = fc.sample(configuration, { numRuns: ROUNDS * CONFIGURATIONS, seed: SEED });
    let [calls, legs] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      const part = drawn.slice(round * CONFIGURATIONS, (round + 1) * CONFIGURATIONS);
      const { callFlow, ...rest } = together(part, file);
      calls += rest.calls.length;
      legs += await check({ ...PLAIN_CALL_FLOW, ...callFlow }, rest);
    }
    console.info(
      `${calls} calls with ${legs} legs in ${drawn.length} configurations went as they were explained`,
    );
  }, 240_000);
});
