import { expect, test } from 'vitest';
import { ALAW_CODES, ALAW_SAMPLES, ULAW_CODES, ULAW_SAMPLES } from './g711.ts';

const codeOf = (codes: Uint8Array, sample: number) => codes[sample & 0xffff];

test('the tables hold the values of the standard', () => {
  expect([0, -1, 32_767, -32_768, 1000].map((sample) => codeOf(ULAW_CODES, sample))).toEqual([
    0xff, 0x7f, 0x80, 0x00, 0xce,
  ]);
  expect([0, -1, 32_767, -32_768, 1000].map((sample) => codeOf(ALAW_CODES, sample))).toEqual([
    0xd5, 0x55, 0xaa, 0x2a, 0xfa,
  ]);
  expect([ULAW_SAMPLES[0x80], ALAW_SAMPLES[0xaa], ULAW_SAMPLES[0xff], ALAW_SAMPLES[0xd5]]).toEqual([
    32_124, 32_256, 0, 8,
  ]);
});

test.each([
  ['A-law', ALAW_CODES, ALAW_SAMPLES],
  ['µ-law', ULAW_CODES, ULAW_SAMPLES],
] as const)('%s: each code survives decoding and encoding, and no sample moves far', (_, codes, samples) => {
  for (let code = 0; code < 256; code++) {
    const sample = samples[code] as number;
    // µ-law has two codes for zero.
    if (sample !== 0) expect(codeOf(codes, sample)).toBe(code);
  }
  for (let sample = -32_000; sample < 32_000; sample += 7) {
    const back = samples[codeOf(codes, sample) as number] as number;
    expect(Math.abs(back - sample)).toBeLessThanOrEqual(Math.max(16, Math.abs(sample) / 16));
  }
});
