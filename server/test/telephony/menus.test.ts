import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DesiredMenu } from '../../src/engine/desired-call-flow.ts';
import type { EndedLeg } from '../../src/engine/events.ts';
import type { Phone } from '../real/baresip.ts';
import { soon } from '../real/soon.ts';
import { toneWav } from '../real/tone.ts';
import { telephonyAvailable } from './exchange.ts';
import { defaultRoute, type FlowRig, incomingRoute, menu, openFlowRig, told } from './flow-rig.ts';
import { LOUD } from './use-exchange.ts';

const to = (digits: string, target: string) => ({ digits, target });

/** `700 ivr NO ANSWER/CONTINUE 1` */
const shown = (leg: EndedLeg): string => `${told(leg)}${leg.application ? ` ${leg.dtmfDigits}` : ''}`;

/** Keys, and `p` for a pause over two seconds. Only the caller has a phone, so that a choice shows as CHANUNAVAIL. */
const VECTORS: readonly (readonly [
  about: string,
  menu: Partial<DesiredMenu>,
  keys: string,
  legs: string[],
])[] = [
  [
    'a key that begins nothing else counts at once',
    { actions: [to('1', '202'), to('2', '203')], repeats: 3 },
    '1',
    ['700 ivr NO ANSWER/CONTINUE 1', '202 CHANUNAVAIL'],
  ],
  [
    'a key that begins another entry waits',
    { actions: [to('1', '202'), to('12', '203')] },
    '1p',
    ['700 ivr NO ANSWER/CONTINUE 1', '202 CHANUNAVAIL'],
  ],
  [
    'a longer entry counts at once',
    { actions: [to('1', '202'), to('12', '203')] },
    '12',
    ['700 ivr NO ANSWER/CONTINUE 12', '203 CHANUNAVAIL'],
  ],
  [
    'a hash completes what waits',
    { actions: [to('1', '202'), to('12', '203')] },
    '1#',
    ['700 ivr NO ANSWER/CONTINUE 1', '202 CHANUNAVAIL'],
  ],
  [
    'a hash completes nothing where an entry goes on with it (contract 25.4)',
    { actions: [to('1', '202'), to('1#5', '203')] },
    '1#5',
    ['700 ivr NO ANSWER/CONTINUE 1#5', '203 CHANUNAVAIL'],
  ],
  [
    'employees are dialled directly',
    { actions: [to('2', '204')], isDirect: true },
    '202',
    ['700 ivr NO ANSWER/CONTINUE 202', '202 CHANUNAVAIL'],
  ],
  [
    'an action that begins their numbers waits',
    { actions: [to('2', '204')], isDirect: true },
    '2p',
    ['700 ivr NO ANSWER/CONTINUE 2', '204 CHANUNAVAIL'],
  ],
  [
    'a number that nobody has is wrong',
    { actions: [to('2', '204')], isDirect: true },
    '209',
    ['700 ivr NO ANSWER/INVALID 209,i'],
  ],
  [
    'without direct dialling so is one that somebody has',
    { actions: [to('1', '204')] },
    '202',
    ['700 ivr NO ANSWER/INVALID 202,i'],
  ],
  [
    'silence is counted apart, and leads on',
    { actions: [to('1', '203')], repeats: 2, onTimeout: '202' },
    '',
    ['700 ivr NO ANSWER/TIMEOUT t,t,t', '202 CHANUNAVAIL'],
  ],
  [
    'wrong entries have a way of their own',
    { actions: [to('1', '203')], repeats: 2, timeoutSeconds: 2, onTimeout: '202', onInvalid: '204' },
    '9p8pp7',
    ['700 ivr NO ANSWER/INVALID 9,i,8,i,t,7,i', '204 CHANUNAVAIL'],
  ],
  [
    'star and hash are entries, and a menu may be chosen again',
    { actions: [to('*', '700'), to('#', '202')] },
    '*#',
    ['700 ivr NO ANSWER/CONTINUE *', '700 ivr NO ANSWER/CONTINUE #', '202 CHANUNAVAIL'],
  ],
  [
    'a long number is one wrong entry, and nothing is dialled outside',
    { actions: [to('1', '202')], isDirect: true },
    '00491701234567',
    ['700 ivr NO ANSWER/INVALID 00491701234567,i'],
  ],
];

describe.skipIf(!telephonyAvailable())('contract 25: menus', () => {
  let rig: FlowRig;
  let caller: Phone;
  beforeAll(async () => {
    rig = await openFlowRig();
    await rig.serve(['201'], {});
    caller = await rig.phone('201');
  }, 60_000);
  afterAll(() => rig?.close());

  const serve = (...menus: DesiredMenu[]) => rig.serve(['201', '202', '203', '204'], { menus });

  async function press(keys: string): Promise<void> {
    for (const key of keys) {
      if (key === 'p') await pause(2300);
      else await caller.press(key);
    }
  }

  test('a key leads to its action, at once or after a pause (contract 25.3 to 25.7, 25.10, 25.11)', async () => {
    for (const [about, fields, keys, legs] of VECTORS) {
      await serve(menu('700', { timeoutSeconds: keys === '' ? 1 : 4, ...fields }));
      rig.forget();
      await caller.dial('700');
      await caller.next('CALL_ESTABLISHED');
      await press(keys);
      await caller.next('CALL_CLOSED');
      expect((await rig.legsOf('201')).map(shown), about).toEqual(legs);
    }
    console.info(`${VECTORS.length} callers`);
  }, 180_000);

  test('contract 25.1: the menu answers and plays the prompt; a key stops the prompt and counts', async () => {
    const file = join(rig.dataDir, 'prompt');
    await writeFile(`${file}.wav`, toneWav(440, 20));
    const sounds = [{ id: '3', name: 'Welcome', category: 'custom', file, seconds: 20 }] as const;
    const menus = [menu('700', { soundId: '3', actions: [to('1', '202')] })];
    await rig.serve(['201', '202'], { menus, sounds, incomingRoutes: [incomingRoute(2, '4930', '700')] });
    rig.forget();
    const began = Date.now();
    await caller.dial('700');
    await caller.next('CALL_ESTABLISHED');
    await caller.press('1');
    await caller.next('CALL_CLOSED');
    expect(Date.now() - began).toBeLessThan(15_000);
    expect((await rig.legsOf('201')).map(shown)).toEqual(['700 ivr NO ANSWER/CONTINUE 1', '202 CHANUNAVAIL']);
    const call = rig.outside.call('4930', { caller: '0170' });
    expect(await call.outcome()).toBe(200);
    // A tone needs this long to be recognized.
    await pause(2500);
    expect(rig.outside.heard().strength(440)).toBeGreaterThan(LOUD);
    await call.hangUp();
    expect((await rig.legsOf('0170')).map(shown)).toEqual(['700 ivr NO ANSWER/CANCEL ']);
  });

  test('contract 25.8: silence and a wrong entry play their sounds before the prompt; a key then begins the next entry', async () => {
    const [prompt, silent, wrong] = [440, 1000, 700];
    const sounds = await Promise.all(
      [prompt, silent, wrong].map(async (hz) => {
        const file = join(rig.dataDir, `tone-${hz}`);
        const seconds = hz === wrong ? 6 : 1;
        await writeFile(`${file}.wav`, toneWav(hz, seconds));
        return { id: String(hz), name: `${hz} Hz`, category: 'custom', file, seconds } as const;
      }),
    );
    const [soundId = '', timeoutSoundId = '', invalidSoundId = ''] = sounds.map(({ id }) => id);
    const own = {
      soundId,
      timeoutSoundId,
      invalidSoundId,
      repeats: 3,
      timeoutSeconds: 4,
      actions: [to('12', '202')],
    };
    await rig.serve(['201', '202'], {
      menus: [menu('700', own)],
      sounds,
      incomingRoutes: [incomingRoute(2, '4931', '700')],
      defaultRoute: defaultRoute(''),
    });
    rig.outside.forget();
    const call = rig.outside.call('4931', { caller: '0172', hasKeys: true });
    const turns = (...expected: number[]) =>
      soon(() => expect(rig.outside.heard().turns(prompt, silent, wrong)).toEqual(expected));
    await turns(prompt, silent, prompt);
    await call.press('9#');
    await turns(prompt, silent, prompt, wrong, prompt);
    await call.press('8#');
    await turns(prompt, silent, prompt, wrong, prompt, wrong);
    await call.press('12');
    await soon(() => expect(call.isOver()).toBe(true));
    // The entry ended the sound, and nothing followed.
    await turns(prompt, silent, prompt, wrong, prompt, wrong);
    expect(rig.outside.heard().secondsOf(wrong)).toBeLessThan(11);
    expect((await rig.legsOf('0172')).map(shown)).toEqual([
      '700 ivr NO ANSWER/CONTINUE t,9,i,8,i,12',
      '202 CHANUNAVAIL',
    ]);
  });

  test('contract 25.2: without an audible prompt there is half a second of silence, then the menu works as usual', async () => {
    await serve(
      menu('700', { soundId: '', onTimeout: '701' }),
      menu('701', { soundId: '404', onTimeout: '202' }),
    );
    rig.forget();
    await caller.dial('700');
    await caller.next('CALL_ESTABLISHED');
    await caller.next('CALL_CLOSED');
    const legs = await rig.legsOf('201');
    expect(legs.map(shown)).toEqual([
      '700 ivr NO ANSWER/TIMEOUT t',
      '701 ivr NO ANSWER/TIMEOUT t',
      '202 CHANUNAVAIL',
    ]);
    // The second without a key begins after that silence.
    for (const { startedAt, endedAt } of legs.slice(0, 2)) expect(endedAt - startedAt).toBeGreaterThan(1450);
  });

  test('a caller who hangs up leaves an application leg with the entries and without talk time', async () => {
    await serve(menu('700', { repeats: 5, timeoutSeconds: 5, actions: [to('1', '202')] }));
    rig.forget();
    await caller.dial('700');
    await caller.next('CALL_ESTABLISHED');
    await press('9');
    // The entry is complete a second after the key; the timeout would follow five seconds later.
    await pause(3500);
    await caller.hangUp();
    await caller.next('CALL_CLOSED');
    const [leg] = await rig.legsOf('201');
    expect(leg && shown(leg)).toBe('700 ivr NO ANSWER/CANCEL 9,i');
    expect(leg).toMatchObject({
      isApplication: true,
      answeredAt: null,
      destination: { number: '700', name: 'Menu 700', channel: 'App:700' },
    });
  });

  test('contract 21.4: two menus that time out to each other end after one turn', async () => {
    await serve(menu('700', { onTimeout: '701' }), menu('701', { onTimeout: '700' }));
    rig.forget();
    await caller.dial('700');
    await caller.next('CALL_CLOSED');
    expect((await rig.legsOf('201')).map(shown)).toEqual([
      '700 ivr NO ANSWER/TIMEOUT t',
      '701 ivr NO ANSWER/TIMEOUT t',
    ]);
  });

  test('a call from outside that reaches nobody behind a menu ends on the answered line', async () => {
    const menus = [menu('700', { onTimeout: '202' })];
    await rig.serve(['201', '202'], {
      menus,
      incomingRoutes: [incomingRoute(2, '4930', '700')],
      defaultRoute: defaultRoute(''),
    });
    const call = rig.outside.call('4930', { caller: '0171' });
    expect(await call.outcome()).toBe(200);
    expect((await rig.legsOf('0171')).map(shown)).toEqual(['700 ivr NO ANSWER/TIMEOUT t', '202 CHANUNAVAIL']);
    await soon(() => expect(call.isOver()).toBe(true));
  });
});
