import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EndedLeg } from '../../src/engine/events.ts';
import { soon } from '../real/soon.ts';
import { toneWav } from '../real/tone.ts';
import { changeEngineFile } from './engine-order.ts';
import { telephonyAvailable } from './exchange.ts';
import { type FlowRig, incomingRoute, menu, openFlowRig, told } from './flow-rig.ts';

/** The longest stay in a menu, in place of ten minutes. */
const STAY_SECONDS = 4;
const PROMPT_SECONDS = 30;

const shown = (leg: EndedLeg): string => `${told(leg)}${leg.application ? ` ${leg.dtmfDigits}` : ''}`;

describe.skipIf(!telephonyAvailable())('contract 25.9: how long a caller may stay in one menu', () => {
  let rig: FlowRig;

  beforeAll(async () => {
    rig = await openFlowRig();
    const file = join(rig.dataDir, 'prompt');
    await writeFile(`${file}.wav`, toneWav(440, PROMPT_SECONDS));
    const sounds = [{ id: '3', name: 'Prompt', category: 'custom', file, seconds: PROMPT_SECONDS }] as const;
    const rest = { repeats: 10, onTimeout: '202', onInvalid: '203' };
    await rig.serve(['202', '203'], {
      sounds,
      menus: [
        menu('700', { ...rest, soundId: '3' }),
        menu('701', { ...rest, timeoutSeconds: 60 }),
        menu('702', { ...rest, timeoutSeconds: 60, actions: [{ digits: '1', target: '703' }] }),
        menu('703', { ...rest, timeoutSeconds: 60 }),
        menu('704', { ...rest, timeoutSeconds: 60, repeats: 0 }),
      ],
      incomingRoutes: ['700', '701', '702', '704'].map((number, at) =>
        incomingRoute(2 + at, `4930${number}`, number),
      ),
    });
    // The rendered dialplan says ten minutes; the test replaces them by seconds.
    await changeEngineFile(rig.dataDir, 'extensions.conf', (text) =>
      text.replace('TIMEOUT(absolute)=600', `TIMEOUT(absolute)=${STAY_SECONDS}`),
    );
  });
  afterAll(() => rig?.close());

  /** Legs of a call that its caller never ends, and the time it spent in its first menu. */
  async function stay(number: string, caller: string, keys = '') {
    const call = rig.outside.call(number, { caller, hasKeys: true });
    expect(await call.outcome()).toBe(200);
    await call.press(keys);
    await soon(() => expect(call.isOver()).toBe(true));
    const legs = await rig.legsOf(caller);
    const [{ startedAt, endedAt } = { startedAt: 0, endedAt: 0 }] = legs;
    return { legs: legs.map(shown), seconds: (endedAt - startedAt) / 1000 };
  }

  test('the limit ends a prompt exactly on time and counts as the last silence', async () => {
    const { legs, seconds } = await stay('4930700', '0170');
    expect(legs).toEqual(['700 ivr NO ANSWER/TIMEOUT t', '202 CHANUNAVAIL']);
    expect(seconds).toBeGreaterThanOrEqual(STAY_SECONDS - 0.1);
    expect(seconds).toBeLessThan(PROMPT_SECONDS - 5);
  });

  test('earlier entries are kept', async () => {
    const { legs } = await stay('4930701', '0171', '9#');
    expect(legs).toEqual(['701 ivr NO ANSWER/TIMEOUT 9,i,t', '202 CHANUNAVAIL']);
  });

  test('each menu has its own limit, and a limit no longer applies after its menu was left', async () => {
    const { legs } = await stay('4930702', '0172', '1');
    expect(legs).toEqual(['702 ivr NO ANSWER/CONTINUE 1', '703 ivr NO ANSWER/TIMEOUT t', '202 CHANUNAVAIL']);
  });

  test('contract 25.10: at most 250 characters of the entries are kept', async () => {
    // Instead of entering keys for a minute, this stay starts with 248 characters.
    const before = '5'.repeat(248);
    await changeEngineFile(rig.dataDir, 'extensions.conf', (text) =>
      text.replace('PBX_ENTRIES=,PBX_ENTRY=', `PBX_ENTRIES=${before},PBX_ENTRY=`),
    );
    const { legs } = await stay('4930704', '0173', '9#');
    expect(legs).toEqual([`704 ivr NO ANSWER/INVALID ${before},9`, '203 CHANUNAVAIL']);
  });
});
