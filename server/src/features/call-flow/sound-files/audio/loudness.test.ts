import { expect, test } from 'vitest';
import { createLoudness } from './loudness.ts';
import { sine } from './waves.suite.ts';

function gainOf(parts: readonly Float32Array[], normalize = true): number {
  const loudness = createLoudness();
  for (const part of parts) loudness.wide(part);
  return 20 * Math.log10(loudness.gains(normalize).wide);
}
/** A tone with this RMS, in dB. */
const tone = (level: number, seconds = 1) => sine(1000, 16_000, seconds, Math.SQRT2 * 10 ** (level / 20));
const silence = (seconds: number) => new Float32Array(16_000 * seconds);

test.each([
  ['a quiet tone', [tone(-26)], 6],
  ['a loud tone', [tone(-6)], -14],
  ['a whisper, which is raised by 12 dB at most', [tone(-50)], 12],
  [
    'speech with pauses, which count for nothing',
    [tone(-26, 0.5), silence(0.5), tone(-26, 0.5), silence(0.5)],
    6,
  ],
  ['a sound half of which is louder', [tone(-40), tone(-23)], 3],
  ['a quiet tone with a loud crack, which stays below -1 dB', [tone(-30, 3).with(9, 0.8)], 0.94],
  ['silence', [silence(1)], 12],
] as const)('contract 24.5: %s', (_, parts, gain) => {
  expect(gainOf(parts)).toBeCloseTo(gain, 1);
});

test('contract 24.5: without normalize samples stay, and clipping is turned down only as far as needed', () => {
  expect(gainOf([tone(-40)], false)).toBe(0);
  expect(gainOf([Float32Array.of(32_767 / 32_768, -1)], false)).toBe(0);
  expect(gainOf([Float32Array.of(0.5, -2)], false)).toBeCloseTo(-6.02, 2);
});
