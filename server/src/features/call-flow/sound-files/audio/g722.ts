/**
 * Sub-band ADPCM at 64 kbit/s, the sending half of ITU-T G.722: two filters split 16 kHz into a lower and a higher band
 * of 8 kHz each; the lower one is sent with 6 bits, the higher one with 2. Names in brackets are the standard's.
 */

/** Every second of the 24 coefficients of the band-splitting filters; reversed, they are the others. */
const BAND_FILTER = [3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11];

/** Boundaries between the levels of the lower band's 6 bits [Q6]. */
const LEVELS = [
  35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1023, 1121, 1219,
  1339, 1458, 1612, 1765, 1980, 2195, 2557, 2919,
];
/** Values of the upper 4 of the 6 bits; both sides predict from these alone [QM4]. */
const LOW_VALUES = [
  0, -20456, -12896, -8968, -6288, -4240, -2584, -1200, 20456, 12896, 8968, 6288, 4240, 2584, 1200, 0,
];
/** How the same 4 bits change the step [RL42, WL]. */
const LOW_STEPS = [-60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60];
/** The same for the 2 bits of the higher band [QM2, RH2, WH]. */
const HIGH_VALUES = [-7408, -1616, 7408, 1616];
const HIGH_STEPS = [798, -214, 798, -214];
const HIGH_LEVEL = 564;
/** Factors in steps of a thirty-second of an octave [ILB]. */
const OCTAVE = Array.from({ length: 32 }, (_, i) => Math.floor(2048 * 2 ** (i / 32) + 0.5));

const saturate = (value: number): number => (value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value);

/** The step's size from its logarithm [SCALEL, SCALEH]. */
function stepOf(logarithm: number, shift: number): number {
  const right = shift - (logarithm >> 11);
  const mantissa = OCTAVE[(logarithm >> 6) & 31] as number;
  return (right < 0 ? mantissa << -right : mantissa >> right) << 2;
}

/** Predictor with two poles and six zeros that adapt to the signal of one band [block 4]. */
export function createPredictor() {
  const poles = [0, 0];
  const zeros = new Int32Array(6);
  const differences = new Int32Array(6);
  /** Reconstructed values, and the same without the contribution of the poles; newest first. */
  const values = [0, 0];
  const partials = [0, 0];
  let fromZeros = 0;
  let prediction = 0;

  function adaptPoles(partial: number): void {
    const [first, second] = poles as [number, number];
    const isLikeLast = partial < 0 === (partials[0] as number) < 0;
    const isLikeBefore = partial < 0 === (partials[1] as number) < 0;
    const crossed = Math.min(isLikeLast ? -saturate(first << 2) : saturate(first << 2), 32_767);
    const newSecond = (crossed >> 7) + (isLikeBefore ? 128 : -128) + ((second * 32_512) >> 15);
    poles[1] = Math.max(-12_288, Math.min(12_288, newSecond));
    const most = saturate(15_360 - poles[1]);
    const newFirst = saturate((isLikeLast ? 192 : -192) + ((first * 32_640) >> 15));
    poles[0] = Math.max(-most, Math.min(most, newFirst));
  }

  function adaptZeros(difference: number): void {
    const change = difference === 0 ? 0 : 128;
    for (let i = 0; i < 6; i++) {
      const isLike = (differences[i] as number) < 0 === difference < 0;
      zeros[i] = saturate((isLike ? change : -change) + (((zeros[i] as number) * 32_640) >> 15));
    }
  }

  return {
    get prediction(): number {
      return prediction;
    },
    /** Adapts to the difference sent, as both sides know it, and predicts the next value. */
    follow(difference: number): void {
      const value = saturate(prediction + difference);
      const partial = saturate(fromZeros + difference);
      adaptPoles(partial);
      adaptZeros(difference);
      partials[1] = partials[0] as number;
      partials[0] = partial;
      values[1] = values[0] as number;
      values[0] = value;
      differences.copyWithin(1, 0, 5);
      differences[0] = difference;
      const fromPoles = saturate(
        ((saturate(2 * value) * (poles[0] as number)) >> 15) +
          ((saturate(2 * (values[1] as number)) * (poles[1] as number)) >> 15),
      );
      let sum = 0;
      for (let i = 0; i < 6; i++)
        sum += (saturate(2 * (differences[i] as number)) * (zeros[i] as number)) >> 15;
      fromZeros = saturate(sum);
      prediction = saturate(fromPoles + fromZeros);
    },
  };
}

/** The lower band: 6 bits per sample [blocks 1L to 4L]. */
function createLowBand() {
  const predictor = createPredictor();
  let logarithm = 0;
  let step = 32;
  return (sample: number): number => {
    const error = saturate(sample - predictor.prediction);
    const magnitude = error < 0 ? ~error : error;
    let level = 0;
    while (level < LEVELS.length && magnitude >= ((LEVELS[level] as number) * step) >> 12) level++;
    // The codes of the smallest negative levels follow all others [ILN, ILP].
    const code = error >= 0 ? 61 - level : level < 2 ? 63 - level : 33 - level;
    const known = code >> 2;
    predictor.follow((step * (LOW_VALUES[known] as number)) >> 15);
    logarithm = ((logarithm * 127) >> 7) + (LOW_STEPS[known] as number);
    logarithm = Math.max(0, Math.min(18_432, logarithm));
    step = stepOf(logarithm, 8);
    return code;
  };
}

/** The higher band: 2 bits per sample [blocks 1H to 4H]. */
function createHighBand() {
  const predictor = createPredictor();
  let logarithm = 0;
  let step = 8;
  return (sample: number): number => {
    const error = saturate(sample - predictor.prediction);
    const isFar = (error < 0 ? ~error : error) >= (HIGH_LEVEL * step) >> 12;
    const code = (error < 0 ? 0 : 2) + (isFar ? 0 : 1);
    predictor.follow((step * (HIGH_VALUES[code] as number)) >> 15);
    logarithm = ((logarithm * 127) >> 7) + (HIGH_STEPS[code] as number);
    logarithm = Math.max(0, Math.min(22_528, logarithm));
    step = stepOf(logarithm, 10);
    return code;
  };
}

/** Turns 16-bit samples at 16 kHz into half as many bytes. A sample without a partner waits for the next block. */
export function createG722Encoder() {
  const low = createLowBand();
  const high = createHighBand();
  /** The last 24 samples, newest last. */
  const window = new Int32Array(24);
  let lone: number | undefined;

  function encode(first: number, second: number): number {
    window.copyWithin(0, 2);
    window[22] = first;
    window[23] = second;
    let even = 0;
    let odd = 0;
    for (let i = 0; i < 12; i++) {
      odd += (window[2 * i] as number) * (BAND_FILTER[i] as number);
      even += (window[2 * i + 1] as number) * (BAND_FILTER[11 - i] as number);
    }
    return (high((even - odd) >> 14) << 6) | low((even + odd) >> 14);
  }

  return (samples: Int16Array): Uint8Array => {
    const bytes = new Uint8Array((samples.length + (lone === undefined ? 0 : 1)) >> 1);
    let count = 0;
    for (const sample of samples) {
      if (lone === undefined) lone = sample;
      else {
        bytes[count++] = encode(lone, sample);
        lone = undefined;
      }
    }
    return bytes;
  };
}
