import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queue } from '../../src/engine/engine.suite.ts';
import { requireBundle } from '../real/engine-bundle.ts';
import { soon } from '../real/soon.ts';
import { toneWav } from '../real/tone.ts';
import { telephonyAvailable } from './exchange.ts';
import { type FlowRig, incomingRoute, openFlowRig } from './flow-rig.ts';
import { members } from './queue-rig.ts';
import { talk } from './use-exchange.ts';

const MUSIC_HZ = 1200;
const NOTICE_HZ = 700;
const EVERY_SECONDS = 2;
/** Long enough for the engine to announce a position, and for the pause before it. */
const SAID_MS = 7000;
const SOME_MUSIC_MS = 1500;
/**
 * The engine averages (three parts the old value, one part the last caller) and announces rounded minutes from one on.
 * Its clock cannot be moved, so these callers really wait until the average is one minute.
 */
const WAITED = { callers: 5, ms: 41_000 };

/** Total length of English prompts of the engine. A GSM frame has 33 bytes and lasts a fiftieth of a second. */
async function secondsOfEnglish(...prompts: readonly string[]): Promise<number> {
  const folder = join(requireBundle().shareDir, 'sounds', 'en');
  const files = await Promise.all(prompts.map((name) => stat(join(folder, `${name}.gsm`))));
  return files.reduce((sum, { size }) => sum + size / 33 / 50, 0);
}

describe.skipIf(!telephonyAvailable())(
  'contract 27.9: announcements to callers of a queue while they wait',
  () => {
    let rig: FlowRig;
    const music = { hears: 'moh', musicSoundId: '1' } as const;
    const periodic = { periodicSoundId: '2', periodicSeconds: EVERY_SECONDS };

    beforeAll(async () => {
      rig = await openFlowRig();
      const files = [join(rig.dataDir, 'music'), join(rig.dataDir, 'notice')] as const;
      await writeFile(`${files[0]}.wav`, toneWav(MUSIC_HZ, 60));
      await writeFile(`${files[1]}.wav`, toneWav(NOTICE_HZ, 1));
      await rig.serve(['201', '202', '203', '204', '205'], {
        sounds: [
          { id: '1', name: 'Music', category: 'moh', file: files[0], seconds: 60 },
          { id: '2', name: 'Notice', category: 'custom', file: files[1], seconds: 1 },
        ],
        queues: [
          queue('600', { ...music, ...periodic, members: members('201'), ringSeconds: 1 }),
          queue('601', { ...periodic, members: members('202') }),
          queue('602', {
            ...music,
            announcesPosition: true,
            announcesHoldTime: true,
            members: members('202'),
          }),
          queue('603', { ...music, announcesHoldTime: true, members: members('205') }),
        ],
        incomingRoutes: [
          incomingRoute(2, '4930600', '600'),
          incomingRoute(3, '4930601', '601'),
          incomingRoute(4, '4930603', '603'),
        ],
      });
    });
    afterAll(() => rig?.close());

    /** Waits until the sound was heard three times; resolves to everything heard until then. */
    const heardThrice = () =>
      soon(() => {
        const sound = rig.outside.heard();
        expect(sound.beeps(NOTICE_HZ)).toBeGreaterThanOrEqual(3);
        return sound;
      });

    test('the sound repeats, counted from its end, and reaches the first in line between two rounds', async () => {
      const anna = await rig.phone('201');
      const call = rig.outside.call('4930600', { caller: '01701' });
      const sound = await heardThrice();
      // Two of the sounds have ended; the engine counts in whole seconds of the clock.
      expect(sound.seconds).toBeGreaterThan(3 * (EVERY_SECONDS - 1) + 2);
      expect(sound.secondsOf(MUSIC_HZ)).toBeGreaterThan(3 * (EVERY_SECONDS - 1));
      expect(anna.events.filter(({ type }) => type === 'CALL_INCOMING').length).toBeGreaterThan(1);
      await call.hangUp();
      await rig.legsOf('01701');
      await anna.leave();
      rig.outside.forget();
    });

    test('27.8: in a queue with ringing the sound answers the line first, even while nobody can be rung', async () => {
      const call = rig.outside.call('4930601', { caller: '01702' });
      expect(await call.outcome()).toBe(200);
      await heardThrice();
      await call.hangUp();
      await rig.legsOf('01702');
    });

    test('24.11: the position is announced from the second in line on, with the English prompts; the first hears only music', async () => {
      const [first, second] = [await rig.phone('203'), await rig.phone('204')];
      for (const phone of [first, second]) {
        await phone.dial('602');
        await phone.next('CALL_ESTABLISHED');
      }
      await talk(SAID_MS + SOME_MUSIC_MS);
      for (const phone of [first, second]) await phone.hangUp();
      await Promise.all(['203', '204'].map((number) => rig.legsOf(number)));
      const [one, other] = [await first.heard(), await second.heard()];
      expect(one.seconds - one.secondsOf(MUSIC_HZ)).toBeLessThan(1);
      const told = await secondsOfEnglish('queue-thereare', 'digits/2', 'queue-callswaiting');
      expect(Math.abs(other.seconds - other.secondsOf(MUSIC_HZ) - told)).toBeLessThan(0.4);
    });

    test('the waiting time of others is announced in minutes, from one minute on', async () => {
      const waiting = Array.from({ length: WAITED.callers }, (_, i) =>
        rig.outside.call('4930603', { caller: `0171${i}` }),
      );
      for (const call of waiting) expect(await call.outcome()).toBe(200);
      expect(await toldTo('204')).toBeLessThan(1);
      await talk(WAITED.ms - SAID_MS);
      // The engine ends calls without any packet for a minute.
      rig.outside.breathe();
      const member = await rig.phone('205');
      for (const _ of waiting) {
        await member.next('CALL_INCOMING');
        await member.answer();
        await member.next('CALL_ESTABLISHED');
        await soon(async () => {
          const legs = await rig.activeCalls();
          expect(legs.some((leg) => leg.destination.number === '205' && leg.answeredAt !== null)).toBe(true);
        });
        await member.hangUp();
        await member.next('CALL_CLOSED');
      }
      await soon(() => expect(waiting.every(({ isOver }) => isOver())).toBe(true));
      await member.leave();
      expect(await toldTo('203')).toBeGreaterThan(1.5);
    });

    /** For how many seconds a caller of 603 hears anything but music. */
    async function toldTo(number: string): Promise<number> {
      const phone = await rig.phone(number);
      await phone.dial('603');
      await phone.next('CALL_ESTABLISHED');
      await talk(SAID_MS);
      await phone.hangUp();
      const sound = await phone.heard();
      return sound.seconds - sound.secondsOf(MUSIC_HZ);
    }
  },
);
