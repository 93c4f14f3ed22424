import type { ByteSource } from './byte-source.ts';
import { ALAW_CODES, ULAW_CODES } from './g711.ts';
import { createG722Encoder } from './g722.ts';
import { createLoudness } from './loudness.ts';
import { monoSamples } from './mono-samples.ts';
import { planResampling, type Resampler } from './resampler.ts';
import { readWaveFile } from './wave-file.ts';
import { WAVE_HEADER_BYTES, waveHeader } from './wave-header.ts';

/** Formats made of every sound (contract 24.5), by file extension. */
export const SOUND_FORMATS = ['wav', 'wav16', 'g722', 'alaw', 'ulaw'] as const;
export type SoundFormat = (typeof SOUND_FORMATS)[number];

const NARROW = 8000;
const WIDE = 16_000;

interface ConversionOptions {
  readonly source: ByteSource;
  readonly normalize: boolean;
  /** Writes bytes to the file of this format: at its end, or over existing bytes at `at`. */
  readonly write: (format: SoundFormat, bytes: Uint8Array, at?: number) => void;
}

/**
 * Reads a sound twice, block by block: its overall loudness decides how every sample is written, and half an hour takes
 * no more memory than a second. If it throws `SoundRefused`, what was written so far is useless.
 */
export function convertSound({ source, normalize, write }: ConversionOptions): { readonly seconds: number } {
  const file = readWaveFile(source);
  const loudness = createLoudness();
  const plans = { wide: planResampling(file.rate, WIDE), narrow: planResampling(WIDE, NARROW) };
  const pass = (to: BothRates) => resample(monoSamples(source, file), file.rate, plans, to);
  pass(loudness);
  const gains = loudness.gains(normalize);
  const encodeG722 = createG722Encoder();
  const counts = { wav: 0, wav16: 0 };

  function writeWave(format: 'wav' | 'wav16', samples: Int16Array): void {
    write(format, new Uint8Array(samples.buffer, 0, samples.byteLength));
    counts[format] += samples.length;
  }
  // Their headers hold the number of samples, which is known only at the end.
  write('wav', new Uint8Array(WAVE_HEADER_BYTES));
  write('wav16', new Uint8Array(WAVE_HEADER_BYTES));
  pass({
    wide(block) {
      const samples = shortSamples(block, gains.wide);
      writeWave('wav16', samples);
      write('g722', encodeG722(samples));
    },
    narrow(block) {
      const samples = shortSamples(block, gains.narrow);
      writeWave('wav', samples);
      write('alaw', codesOf(samples, ALAW_CODES));
      write('ulaw', codesOf(samples, ULAW_CODES));
    },
  });
  write('wav', waveHeader(NARROW, counts.wav), 0);
  write('wav16', waveHeader(WIDE, counts.wav16), 0);
  return { seconds: file.frames / file.rate };
}

interface BothRates {
  wide(block: Float32Array): void;
  narrow(block: Float32Array): void;
}

interface Plans {
  readonly wide: () => Resampler;
  readonly narrow: () => Resampler;
}

/** Samples that already have one of the two rates stay as they are. */
function resample(blocks: Iterable<Float32Array>, rate: number, plans: Plans, to: BothRates): void {
  const wide = plans.wide();
  const narrow = plans.narrow();
  const isNarrow = rate === NARROW;
  function pass(block: Float32Array): void {
    to.wide(block);
    if (!isNarrow) to.narrow(narrow.push(block));
  }
  for (const block of blocks) {
    if (isNarrow) to.narrow(block);
    pass(wide.push(block));
  }
  pass(wide.end());
  if (!isNarrow) to.narrow(narrow.end());
}

function shortSamples(block: Float32Array, gain: number): Int16Array {
  const samples = new Int16Array(block.length);
  for (let i = 0; i < block.length; i++) {
    const value = Math.round((block[i] as number) * gain * 32_768);
    samples[i] = Math.max(-32_768, Math.min(32_767, value));
  }
  return samples;
}

function codesOf(samples: Int16Array, codes: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(samples.length);
  for (let i = 0; i < samples.length; i++) bytes[i] = codes[(samples[i] as number) & 0xffff] as number;
  return bytes;
}
