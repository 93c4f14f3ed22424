import { expect, test } from 'vitest';
import { encodeWave, mixed, rateFor } from './wave.ts';

test('a wave file declares its contents: PCM of 16 bits, one channel, the rate and the length', () => {
  const file = new DataView(encodeWave(new Float32Array([0, 1, -1, 2, -0.5]), 16_000));
  const text = (at: number) => String.fromCharCode(...new Uint8Array(file.buffer, at, 4));
  expect([text(0), text(8), text(12), text(36)]).toEqual(['RIFF', 'WAVE', 'fmt ', 'data']);
  expect(file.getUint32(4, true)).toBe(file.byteLength - 8);
  expect([20, 22, 34].map((at) => file.getUint16(at, true))).toEqual([1, 1, 16]);
  expect([24, 28, 40].map((at) => file.getUint32(at, true))).toEqual([16_000, 32_000, 10]);
  const samples = [0, 1, 2, 3, 4].map((at) => file.getInt16(44 + 2 * at, true));
  expect(samples).toEqual([0, 32_767, -32_767, 32_767, -16_383]);
});

test('two channels become their mean', () => {
  const both = mixed([new Float32Array([1, 0]), new Float32Array([0, 0.5])]);
  expect([...both]).toEqual([0.5, 0.25]);
  expect(mixed([])).toHaveLength(0);
});

test('the rate is lowered only for a sound that would not fit otherwise, and the longest one fits', () => {
  const MAX_BYTES = 50 * 1024 * 1024;
  const size = (seconds: number) =>
    encodeWave(new Float32Array(0), 0).byteLength + 2 * seconds * rateFor(seconds);
  expect([1, 1638, 1639, 1800].map(rateFor)).toEqual([16_000, 16_000, 8000, 8000]);
  for (const seconds of [1638, 1639, 1800]) expect(size(seconds)).toBeLessThan(MAX_BYTES);
});
