import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SoundRefused } from './wave-file.ts';
import { chunk, converted, floats, loudnessOf, pcm16, samplesOf, sine, waveOf } from './waves.suite.ts';

test('contract 24.5: a conversion produces five files, each as long as the sound', () => {
  const { seconds, wav, wav16, g722, alaw, ulaw } = converted(
    waveOf({ rate: 44_100, data: pcm16(sine(440, 44_100, 1.5)) }),
  );
  expect(seconds).toBe(1.5);
  expect([wav.length, wav16.length]).toEqual([44 + 24_000, 44 + 48_000]);
  expect([g722.length, alaw.length, ulaw.length]).toEqual([12_000, 12_000, 12_000]);
  expect([wav.readUInt32LE(24), wav16.readUInt32LE(24)]).toEqual([8000, 16_000]);
  expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
});

test.each(['wav', 'wav16'] as const)('a sound that is already %s keeps every sample', (format) => {
  const rate = format === 'wav' ? 8000 : 16_000;
  const data = pcm16(Float32Array.from({ length: rate }, (_, i) => Math.sin(i * i)));
  expect(converted(waveOf({ rate, data }))[format].subarray(44).equals(data)).toBe(true);
});

test.each([
  ['8 bits', { bits: 8 }, (x: number) => [Math.round(x * 127) + 128]],
  [
    '24 bits',
    { bits: 24 },
    (x: number) => {
      const value = Math.round(x * 8_388_607);
      return [value & 255, (value >> 8) & 255, (value >> 16) & 255];
    },
  ],
  ['32 bits', { bits: 32 }, (x: number) => [...new Uint8Array(Int32Array.of(x * 2_147_483_647).buffer)]],
  ['floats', { bits: 32, format: 3 }, (x: number) => [...new Uint8Array(Float32Array.of(x).buffer)]],
] as const)('samples of %s sound like samples of 16 bits', (_, parts, bytesOf) => {
  const tone = sine(440, 16_000, 0.5);
  const data = Uint8Array.from([...tone].flatMap((sample) => bytesOf(sample)));
  const heard = samplesOf(converted(waveOf({ ...parts, rate: 16_000, data })).wav16);
  expect(loudnessOf(heard.map((sample, i) => sample - (tone[i] as number)))).toBeLessThan(-45);
});

test('two channels become their mean', () => {
  const tone = sine(440, 16_000, 0.5);
  const both = (right: number) => pcm16([...tone].flatMap((sample) => [sample, right * sample]));
  const heard = (right: number) =>
    loudnessOf(samplesOf(converted(waveOf({ rate: 16_000, channels: 2, data: both(right) })).wav16));
  expect(heard(1)).toBeCloseTo(loudnessOf(tone), 1);
  expect(heard(0)).toBeCloseTo(loudnessOf(tone) - 6, 1);
  expect(heard(-1)).toBeLessThan(-90);
});

test('contract 24.5: tones from 4 to 24 kHz leave nothing audible in the 8 kHz file', () => {
  let loudest = -Infinity;
  for (let hz = 4000; hz < 24_000; hz += 250) {
    const { wav } = converted(waveOf({ rate: 48_000, data: pcm16(sine(hz, 48_000, 0.25, 0.99)) }));
    loudest = Math.max(loudest, loudnessOf(samplesOf(wav)));
  }
  expect(loudest).toBeLessThan(-43);
});

const isFull = (x: number) => x >= 32_767 / 32_768 || x <= -1;

test('contract 24.5: nothing is clipped, however far the input overshoots', () => {
  const square = Float32Array.from({ length: 44_100 }, (_, i) => (i % 100 < 50 ? 1 : -1));
  for (const data of [pcm16(square), pcm16(square.map((x) => 0.99 * x))]) {
    const { wav, wav16 } = converted(waveOf({ rate: 44_100, data }));
    for (const samples of [samplesOf(wav), samplesOf(wav16)])
      expect(samples.some((x, i) => isFull(x) && isFull(samples[i + 1] ?? 0))).toBe(false);
  }
  const { wav16 } = converted(
    waveOf({ rate: 16_000, format: 3, bits: 32, data: floats(sine(440, 16_000, 0.5, 3)) }),
  );
  expect(loudnessOf(samplesOf(wav16))).toBeCloseTo(-3, 1);
});

test('contract 24.5: with normalize a tone comes out at -20 dB at both rates', () => {
  const { wav, wav16 } = converted(waveOf({ rate: 48_000, data: pcm16(sine(440, 48_000, 1, 0.9)) }), true);
  expect(loudnessOf(samplesOf(wav))).toBeCloseTo(-20, 1);
  expect(loudnessOf(samplesOf(wav16))).toBeCloseTo(-20, 1);
});

test.each([NaN, Infinity, -Infinity, 1e30])('contract 24.3: a float sample of %d is refused', (wild) => {
  const samples = sine(440, 8000, 0.5);
  samples[3000] = wild;
  const wave = waveOf({ format: 3, bits: 32, data: floats(samples) });
  for (const normalize of [true, false])
    expect(() => converted(wave, normalize)).toThrow(
      new SoundRefused('broken', 'has samples that are not valid numbers'),
    );
});

const small = waveOf({
  rate: 11_025,
  channels: 2,
  before: chunk('LIST', Buffer.from('odd')),
  data: pcm16(sine(440, 11_025, 0.4)),
});

/** Whether it was accepted; any error other than a refusal is rethrown. */
function isTaken(bytes: Uint8Array): boolean {
  try {
    converted(bytes, true);
    return true;
  } catch (error) {
    if (error instanceof SoundRefused) return false;
    throw error;
  }
}

test('contract 24.3: a file that is cut off anywhere is refused', () => {
  for (let length = 0; length < small.length; length += length < 120 ? 1 : 97)
    expect(isTaken(small.subarray(0, length))).toBe(false);
});

test('contract 24.3: a file with changed bytes is either accepted or refused, and nothing else', () => {
  const counts = { taken: 0, refused: 0 };
  const bytes = fc.array(fc.tuple(fc.nat(80), fc.oneof(fc.nat(255), fc.constantFrom(0, 255, 127, 128))), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(bytes, (changes) => {
      const wave = Buffer.from(small);
      for (const [at, value] of changes) wave[at] = value;
      counts[isTaken(wave) ? 'taken' : 'refused']++;
    }),
    { numRuns: 600 },
  );
  console.log(`changed heads: ${counts.taken} taken, ${counts.refused} refused`);
  expect(counts.taken).toBeGreaterThan(0);
});

test('contract 24.3: any bytes after the name of the format lead to nothing worse than a refusal', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (rest, hasFormat) => {
      const start = hasFormat ? small.subarray(0, 36) : Buffer.from('RIFF\x40\0\0\0WAVE', 'latin1');
      isTaken(Buffer.concat([start, rest]));
    }),
    { numRuns: 500 },
  );
});
