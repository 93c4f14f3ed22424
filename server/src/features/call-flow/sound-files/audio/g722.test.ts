import { expect, test } from 'vitest';
import { createG722Encoder, createPredictor } from './g722.ts';
import { loudnessOf, sine } from './waves.suite.ts';

/** Values of the bits, and how they change the step: the tables of the receiving half of the standard. */
const UPPER = [
  24808, 21904, 19008, 16704, 14984, 13512, 12280, 11192, 10232, 9360, 8576, 7856, 7192, 6576, 6000, 5456,
  4944, 4464, 4008, 3576, 3168, 2776, 2400, 2032, 1688, 1360, 1040, 728,
];
const QM6 = [-136, -136, -136, -136, ...UPPER.map((value) => -value), ...UPPER, 432, 136, -432, -136];
const QM4 = [
  0, -20456, -12896, -8968, -6288, -4240, -2584, -1200, 20456, 12896, 8968, 6288, 4240, 2584, 1200, 0,
];
const QM2 = [-7408, -1616, 7408, 1616];
const WL = [-60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60];
const WH = [798, -214, 798, -214];
const FILTER = [3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11];

interface Band {
  readonly heard: readonly number[];
  /** Low bits of the code from which neither side predicts. */
  readonly shift: number;
  readonly known: readonly number[];
  readonly steps: readonly number[];
  readonly first: number;
  readonly scale: number;
  readonly most: number;
}

function createBand({ heard, shift, known, steps, first, scale, most }: Band) {
  const predictor = createPredictor();
  let logarithm = 0;
  let step = first;
  return (code: number): number => {
    const sample = predictor.prediction + ((step * (heard[code] as number)) >> 15);
    const part = code >> shift;
    predictor.follow((step * (known[part] as number)) >> 15);
    logarithm = Math.max(0, Math.min(most, ((logarithm * 127) >> 7) + (steps[part] as number)));
    const mantissa = Math.round(2048 * 2 ** (((logarithm >> 6) & 31) / 32));
    step = Math.floor(mantissa * 2 ** ((logarithm >> 11) - scale)) * 4;
    return Math.max(-16_384, Math.min(16_383, sample));
  };
}

function decode(bytes: Uint8Array): Float32Array {
  const low = createBand({ heard: QM6, shift: 2, known: QM4, steps: WL, first: 32, scale: 8, most: 18_432 });
  const high = createBand({ heard: QM2, shift: 0, known: QM2, steps: WH, first: 8, scale: 10, most: 22_528 });
  const window = new Float64Array(24);
  const output: number[] = [];
  for (const byte of bytes) {
    const [lower, higher] = [low(byte & 63), high(byte >> 6)];
    window.copyWithin(0, 2);
    window[22] = lower + higher;
    window[23] = lower - higher;
    let [first, second] = [0, 0];
    FILTER.forEach((factor, i) => {
      first += (window[2 * (11 - i) + 1] as number) * factor;
      second += (window[2 * i] as number) * factor;
    });
    output.push(first / 2048 / 32_768, second / 2048 / 32_768);
  }
  return Float32Array.from(output);
}

const encode = (samples: Float32Array): Uint8Array =>
  createG722Encoder()(Int16Array.from(samples, (sample) => Math.round(sample * 32_767)));

/** In dB, at the delay of the two filters. */
function signalToNoise(samples: Float32Array): number {
  const heard = decode(encode(samples)).subarray(22);
  const noise = heard.map((sample, i) => sample - (samples[i] as number));
  return loudnessOf(samples, 1600) - loudnessOf(noise, 1600);
}

test.each([
  [300, 0.5, 30],
  [1000, 0.5, 30],
  [1000, 0.01, 25],
  [3000, 0.9, 25],
  [5000, 0.3, 12],
])(
  'a tone of %i Hz at %f of full scale is decoded with a signal-to-noise ratio above %i dB',
  (hz, amplitude, bound) => {
    expect(signalToNoise(sine(hz, 16_000, 0.5, amplitude))).toBeGreaterThan(bound);
  },
);

test('samples in odd blocks are encoded as samples in one block', () => {
  const samples = Int16Array.from(sine(700, 16_000, 0.1), (sample) => sample * 30_000);
  const encoder = createG722Encoder();
  const parts = [samples.subarray(0, 1), samples.subarray(1, 778), samples.subarray(778)];
  expect(Buffer.concat(parts.map((part) => encoder(part)))).toEqual(
    Buffer.from(createG722Encoder()(samples)),
  );
});

test('the encoder recovers after full scale and silence', () => {
  const square = Float32Array.from({ length: 8000 }, (_, i) => (i % 100 < 50 ? 1 : -1));
  const after = sine(1000, 16_000, 0.5, 0.3);
  const heard = decode(encode(Float32Array.of(...square, ...new Float32Array(1601), ...after)));
  const tail = heard.subarray(square.length + 1601 + 22);
  const noise = tail.map((sample, i) => sample - (after[i] as number));
  expect(loudnessOf(noise, 1600)).toBeLessThan(-35);
});
