import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { provider } from '../../src/engine/call-flow/explain.suite.ts';
import { explainCall } from '../../src/engine/call-flow/explain.ts';
import { type Explanation, STEP_KINDS, type SupposedCall } from '../../src/engine/call-flow/explanation.ts';
import { type DesiredCallFlow, PLAIN_CALL_FLOW } from '../../src/engine/desired-call-flow.ts';
import type { EndedLeg } from '../../src/engine/events.ts';
import { soon } from '../real/soon.ts';
import { toneWav } from '../real/tone.ts';
import { telephonyAvailable } from './exchange.ts';
import {
  AWAY,
  type Configuration,
  configuration,
  FULL,
  out,
  PROVIDER,
  together,
} from './explained-configurations.ts';
import { type FlowRig, incomingRoute, openFlowRig, trunkAt } from './flow-rig.ts';

const ROUNDS = 3;
const CONFIGURATIONS = 24;
const SEED = 28;

/** Steps of an explanation that create a leg, in the format of `shown`. */
const explained = ({ steps }: Explanation): string[] =>
  steps.flatMap(({ kind, id }, at) => {
    if (kind === 'employee' || kind === 'mobile' || kind === 'outside') return [id];
    if (kind === 'menu') return [`${id} ivr`];
    if (kind === 'queue') return [`${id} queue`];
    if (kind !== 'message') return [];
    return [['hours', 'override'].includes(steps[at - 1]?.kind ?? '') ? 'offwork' : 'announce'];
  });

const shown = ({ destination, application }: EndedLeg): string =>
  [destination.number, application].filter((part) => part !== '').join(' ');

describe.skipIf(!telephonyAvailable())('contract 28.3: explanations match calls', () => {
  let rig: FlowRig;
  let file: string;
  /** Kinds of steps that calls passed. */
  const met = new Set<string>();
  /** Presses one key per menu; menus have no repeats where keys are pressed. */
  const atMenu = new Map<string, () => void>();
  beforeAll(async () => {
    rig = await openFlowRig();
    rig.onMenu((caller) => atMenu.get(caller)?.());
    file = join(rig.dataDir, 'message');
    await writeFile(`${file}.wav`, toneWav(440, 1));
  }, 60_000);
  afterAll(() => rig?.close());

  /** Nobody has a phone, so that calls run through their steps at once. */
  const supposed = (
    call: Pick<SupposedCall, 'number' | 'caller' | 'entries'>,
    isEmployee: (number: string) => boolean,
  ): SupposedCall => ({
    ...call,
    providerId: PROVIDER,
    at: Date.now(),
    isNow: true,
    present: {
      isReachable: () => false,
      memberDevice: (_, number) => (isEmployee(number) ? 'unavailable' : 'free'),
      wrapUpLeft: () => 0,
      isProviderThere: (id) => id !== AWAY,
      waiting: (number) => (FULL.some((full) => full === number) ? 1 : 0),
    },
  });

  /** Resolves to the number of legs. */
  async function check(callFlow: DesiredCallFlow, { extensions, calls }: Configuration): Promise<number> {
    let count = 0;
    await rig.serve(extensions, callFlow, [
      trunkAt(PROVIDER, rig.outside.address),
      trunkAt(AWAY, '', { registration: 'inbound', username: 'away', secret: 'long enough' }),
    ]);
    rig.forget();
    const numbers = new Set(extensions.map(({ number }) => number));
    const waiting = FULL.filter((full) => callFlow.queues.some(({ number }) => number === full)).map((full) =>
      rig.outside.call(full, { caller: `0152${full}` }),
    );
    for (const call of waiting) expect(await call.outcome()).toBe(200);
    const house = {
      callFlow,
      extensions,
      providers: [provider(PROVIDER), provider(AWAY)],
      timezone: 'UTC',
    };
    await Promise.all(
      calls.map(async (one) => {
        const explanation = explainCall(
          house,
          supposed({ ...one, entries: [...one.keys] }, (number) => numbers.has(number)),
        );
        const { ends } = explanation;
        const call = rig.outside.call(one.number, { caller: one.caller, hasKeys: one.keys !== '' });
        const keys = [...one.keys];
        const answered = call.outcome();
        // The menu's leg is reported before the line is answered.
        atMenu.set(one.caller, () => void answered.then(() => call.press(keys.shift() ?? '')));
        const outcome = await answered;
        const all = await rig.legsOf(one.caller);
        const legs = all.filter(({ queue }) => queue === undefined);
        // Not every member that may ring does: other calls ring the same members at the same time.
        const rang = all.filter(
          ({ queue, disposition }) => queue !== undefined && disposition === 'NO ANSWER',
        );
        const texts = explanation.steps.map(({ text }) => text);
        const entered = legs.map(({ dtmfDigits }) => dtmfDigits);
        const about = JSON.stringify({ one, texts, ends, entered }, undefined, 1);
        const stations = explained(explanation);
        count += legs.length;
        for (const { kind } of explanation.steps) met.add(kind);
        if (rang.length > 0) met.add('member outside');
        if (texts.some((text) => text.endsWith('is full.'))) met.add('full');
        const statuses = legs.map(
          ({ dialStatus, disposition }) => dialStatus || disposition.replace(' ', ''),
        );
        expect(legs.map(shown), about).toEqual(stations.length > 0 ? stations : [one.number]);
        const ringing = explanation.rings.map((ring) => ring.number);
        expect(ringing, about).toEqual(
          expect.arrayContaining(rang.map(({ destination }) => destination.number)),
        );
        expect(outcome, about).toBe(ends.sip === 0 ? 200 : ends.sip);
        // For an answered caller, the target `busy` is a tone without a leg.
        if (ends.dialstatus !== 'BUSY') expect(statuses.at(-1), about).toBe(ends.dialstatus);
        if (outcome === 200) await soon(() => expect(call.isOver()).toBe(true));
      }),
    );
    for (const call of waiting) await call.hangUp();
    return count;
  }

  test('an incoming call that goes out again and fails to connect ends as explained', async () => {
    const call = (number: string) => ({ number, caller: `0160${number}`, keys: '' });
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

  test('an unanswered call takes the explained chain, whatever the configuration', async () => {
    const drawn = fc.sample(configuration, { numRuns: ROUNDS * CONFIGURATIONS, seed: SEED });
    let [calls, legs] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      const part = drawn.slice(round * CONFIGURATIONS, (round + 1) * CONFIGURATIONS);
      const { callFlow, ...rest } = together(part, file);
      calls += rest.calls.length;
      legs += await check({ ...PLAIN_CALL_FLOW, ...callFlow }, rest);
    }
    expect([...met]).toEqual(expect.arrayContaining([...STEP_KINDS, 'full', 'member outside']));
    console.info(
      `${calls} calls with ${legs} legs in ${drawn.length} configurations went as they were explained`,
    );
  }, 240_000);
});
