import { describe, expect, test } from 'vitest';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { connect, LOUD, talk, useExchange } from './use-exchange.ts';

const TONES = [440, 1000, 1500] as const;
/** Which of caller, middle and last party is recorded. */
const COMBINATIONS = Array.from({ length: 8 }, (_, i) => [i & 1, i & 2, i & 4].map(Boolean));
const numbersOf = (at: number) => [`${at + 3}01`, `${at + 3}02`, `${at + 3}03`] as const;
const shown = (recorded: readonly boolean[]) => recorded.map((is) => (is ? 'recorded' : 'not')).join(', ');

describe.skipIf(!telephonyAvailable())('recordings follow the talking parties', () => {
  const held = useExchange(
    COMBINATIONS.flatMap((recorded, at) =>
      numbersOf(at).map((number, i) => ({ number, sip_enableRecording: recorded[i] })),
    ),
  );

  test.each(COMBINATIONS.map((recorded, at) => [shown(recorded), recorded, at] as const))(
    'an attended transfer, with recording for caller, middle and last: %s',
    async (_, recorded, at) => {
      const numbers = numbersOf(at);
      const [a, b, c] = [
        await held.phone(numbers[0], { hz: TONES[0] }),
        await held.phone(numbers[1], { hz: TONES[1] }),
        await held.phone(numbers[2], { hz: TONES[2] }),
      ];
      await connect(a, b);
      await talk(3000);
      await b.hold();
      await connect(b, c);
      await talk(3000);
      await b.join(1, numbers[2]);
      await b.next('CALL_CLOSED');
      await talk(4500);
      await a.hangUp();
      await c.next('CALL_CLOSED');

      for (const [from, to, other] of [
        [0, 1, 2],
        [1, 2, 0],
        [0, 2, 1],
      ] as const) {
        const isRecorded = recorded[from] === true || recorded[to] === true;
        const leg = await soon(async () => {
          const legs = (await held.exchange.allCalls()).flatMap(({ records }) => records);
          const found = legs.find(
            ({ src_num, dst_num }) => src_num === numbers[from] && dst_num === numbers[to],
          );
          if (!found) throw new Error(`no leg from ${numbers[from]} to ${numbers[to]}`);
          expect(found.recordingfile !== '', `${numbers[from]} to ${numbers[to]}`).toBe(isRecorded);
          return found;
        });
        if (!isRecorded) continue;
        const sound = await held.exchange.recordingOf(leg);
        const [one, two] = [sound.strength(TONES[from]), sound.strength(TONES[to])];
        expect(Math.min(one, two), `${leg.src_num} to ${leg.dst_num}`).toBeGreaterThan(LOUD);
        // The engine is updated some moments after the third party joins or leaves, later on a busy machine. A party
        // that does not belong in the recording would be heard for three seconds.
        expect(sound.secondsOf(TONES[other])).toBeLessThan(2);
        expect(Math.min(sound.secondsOf(TONES[from]), sound.secondsOf(TONES[to]))).toBeGreaterThan(1);
      }
    },
  );
});
