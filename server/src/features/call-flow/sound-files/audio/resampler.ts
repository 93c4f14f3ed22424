/** Converts a signal from one rate to another, block by block. */
export interface Resampler {
  /** The output available so far, valid only until the next call. */
  push(block: Float32Array): Float32Array;
  /** The rest of the output, once everything was pushed. */
  end(): Float32Array;
}

/** Fractions of the lower rate: everything passes below the first, nothing above the second; it falls in between. */
const PASS = 0.43;
const STOP = 0.5;
/** The attenuation that counts as "nothing", in dB; contract 24.5 asks for 40. */
const ATTENUATION = 65;
/** Most positions between two samples with a filter of their own. Rates with more are rounded to these. */
const MAX_PHASES = 512;

/**
 * A filter for each position between two samples (a sinc under a Kaiser window), so that the low-pass and the change of
 * rate are one step. Built once per pair of rates. A signal that already has the rate passes untouched.
 */
export function planResampling(from: number, to: number): () => Resampler {
  if (from === to) return () => ({ push: (block) => block, end: () => new Float32Array(0) });
  const divisor = greatestDivisor(from, to);
  const parts = to / divisor;
  const step = from / divisor;
  const phases = Math.min(parts, MAX_PHASES);
  const filters = filtersOf({ phases, scale: Math.min(1, to / from) });
  return () => createResampler({ parts, step, phases, ...filters });
}

interface Plan {
  /** A source sample spans `parts`; successive output samples are `step` parts apart. */
  readonly parts: number;
  readonly step: number;
  readonly phases: number;
  /** Half the length of a filter. */
  readonly half: number;
  readonly table: Float64Array;
}

function createResampler({ parts, step, phases, half, table }: Plan): Resampler {
  const taps = 2 * half;

  /** Samples that are still needed, the first of them at `first`; before the sound there is silence. */
  let kept = new Float64Array(half - 1);
  let first = 1 - half;
  let received = 0;
  /** Position of the next output sample, in source samples: `whole` + `rest` / `parts`. */
  let whole = 0;
  let rest = 0;

  function run(block: Float32Array, isLast: boolean): Float32Array {
    const input = new Float64Array(kept.length + block.length + (isLast ? half + 1 : 0));
    input.set(kept);
    input.set(block, kept.length);
    received += block.length;
    // The last sample is followed by silence, too, but no output is made for it.
    const until = isLast ? received : received - half;
    const output = new Float32Array(Math.max(0, Math.ceil(((until - whole) * parts) / step) + 1));
    let count = 0;
    while (whole < until) {
      const filter = Math.round((rest * phases) / parts) * taps;
      const start = whole - half + 1 - first;
      output[count++] = weighted(input, start, table, filter, taps);
      rest += step;
      whole += Math.floor(rest / parts);
      rest %= parts;
    }
    const spent = Math.min(input.length, Math.max(0, whole - half + 1 - first));
    kept = input.slice(spent);
    first += spent;
    return output.subarray(0, count);
  }

  return { push: (block) => run(block, false), end: () => run(new Float32Array(0), true) };
}

/** Four sums, which a processor computes side by side. `count` is a multiple of four. */
function weighted(input: Float64Array, from: number, table: Float64Array, at: number, count: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < count; i += 4) {
    a += (input[from + i] as number) * (table[at + i] as number);
    b += (input[from + i + 1] as number) * (table[at + i + 1] as number);
    c += (input[from + i + 2] as number) * (table[at + i + 2] as number);
    d += (input[from + i + 3] as number) * (table[at + i + 3] as number);
  }
  return a + b + c + d;
}

/** `scale`: the target rate relative to the source rate, at most 1. */
function filtersOf({ phases, scale }: { readonly phases: number; readonly scale: number }) {
  const width = 2 * Math.PI * (STOP - PASS) * scale;
  const half = 2 * Math.ceil((ATTENUATION - 8) / (2.285 * width) / 4);
  const taps = 2 * half;
  const cutoff = (PASS + STOP) * scale;
  const beta = 0.1102 * (ATTENUATION - 8.7);
  const table = new Float64Array((phases + 1) * taps);
  for (let phase = 0; phase <= phases; phase++) {
    const filter = table.subarray(phase * taps, (phase + 1) * taps);
    let sum = 0;
    for (let i = 0; i < taps; i++) {
      const distance = i - half + 1 - phase / phases;
      const value = sinc(cutoff * distance) * kaiser(distance / half, beta);
      filter[i] = value;
      sum += value;
    }
    // A constant signal comes out unchanged.
    for (let i = 0; i < taps; i++) filter[i] = (filter[i] as number) / sum;
  }
  return { half, table };
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

const kaiser = (x: number, beta: number): number =>
  Math.abs(x) >= 1 ? 0 : bessel(beta * Math.sqrt(1 - x * x)) / bessel(beta);

/** Modified, of the first kind and order 0, as its power series. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-9; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));
