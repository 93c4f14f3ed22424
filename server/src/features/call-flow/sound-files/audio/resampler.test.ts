import { expect, test } from 'vitest';
import { planResampling } from './resampler.ts';
import { loudnessOf, sine } from './waves.suite.ts';

function resampled(samples: Float32Array, from: number, to: number, blockSize = 1000): Float32Array {
  const resampler = planResampling(from, to)();
  const parts: number[] = [];
  for (let at = 0; at < samples.length; at += blockSize)
    parts.push(...resampler.push(samples.subarray(at, at + blockSize)));
  parts.push(...resampler.end());
  return Float32Array.from(parts);
}

/** Level of a tone of 0 dB at the other rate. */
const level = (hz: number, from: number, to: number): number =>
  loudnessOf(resampled(sine(hz, from, 0.25, Math.SQRT2), from, to));

const WAYS = [
  [16_000, 8000],
  [44_100, 16_000],
  [48_000, 16_000],
  [96_000, 16_000],
  [192_000, 16_000],
  [44_099, 16_000],
] as const;

test.each(WAYS)(
  'contract 24.5: from %i to %i Hz no tone above half the new rate comes out above -40 dB',
  (from, to) => {
    let loudest = -Infinity;
    for (let hz = to / 2; hz < from / 2; hz += (from - to) / 2 / 40)
      loudest = Math.max(loudest, level(hz, from, to));
    expect(loudest).toBeLessThan(-40);
  },
);

test.each([...WAYS, [8000, 16_000], [11_025, 16_000], [9001, 16_000]] as const)(
  'from %i to %i Hz tones of the speech range pass unchanged',
  (from, to) => {
    const highest = 0.42 * Math.min(from, to);
    for (let hz = 100; hz < highest; hz += highest / 13)
      expect(Math.abs(level(hz, from, to))).toBeLessThan(0.1);
  },
);

test.each([
  [8000, 16_000],
  [11_025, 16_000],
] as const)('from %i to %i Hz a tone produces no image of itself', (from, to) => {
  for (const hz of [500, 0.25 * from, 0.42 * from]) {
    const output = resampled(sine(hz, from, 0.25), from, to);
    const wanted = sine(hz, to, 0.25);
    const rest = output.map((sample, i) => sample - (wanted[i] ?? 0));
    expect(loudnessOf(rest) - loudnessOf(wanted)).toBeLessThan(-50);
  }
});

test('block sizes make no difference, and the number of output samples matches the duration', () => {
  const samples = sine(1000, 44_100, 0.3).map((sample, i) => sample + Math.sin(i * i) / 4);
  const whole = resampled(samples, 44_100, 16_000, samples.length);
  expect(whole.length).toBe(4800);
  for (const size of [1, 7, 441, 5000]) expect(resampled(samples, 44_100, 16_000, size)).toEqual(whole);
});

test('a signal that already has the target rate is unchanged', () => {
  const samples = sine(7999, 16_000, 0.1);
  expect(resampled(samples, 16_000, 16_000)).toEqual(samples);
});
