import type { ByteSource } from './byte-source.ts';
import { convertSound, type SoundFormat } from './convert-sound.ts';

interface WaveParts {
  readonly rate?: number;
  readonly channels?: number;
  readonly bits?: number;
  /** 1 PCM, 3 float, 6 A-law, 7 µ-law, 0xfffe: the format is named at the end. */
  readonly format?: number;
  readonly data: Uint8Array;
  /** Between the header and the samples. */
  readonly before?: Uint8Array;
  /** After the usual 16 bytes of the format. */
  readonly extension?: Uint8Array;
  readonly frameBytes?: number;
}

/** A file as programs write it; a test may falsify every part. */
export function waveOf({
  rate = 8000,
  channels = 1,
  bits = 16,
  format = 1,
  data,
  before = new Uint8Array(),
  extension = new Uint8Array(),
  frameBytes = (channels * bits) / 8,
}: WaveParts): Buffer {
  const facts = Buffer.alloc(16);
  facts.writeUInt16LE(format, 0);
  facts.writeUInt16LE(channels, 2);
  facts.writeUInt32LE(rate, 4);
  facts.writeUInt32LE((rate * frameBytes) % 2 ** 32, 8);
  facts.writeUInt16LE(frameBytes, 12);
  facts.writeUInt16LE(bits, 14);
  const chunks = Buffer.concat([
    Buffer.from('WAVE'),
    chunk('fmt ', Buffer.concat([facts, extension])),
    before,
    chunk('data', data),
  ]);
  return chunk('RIFF', chunks);
}

export function chunk(name: string, data: Uint8Array, claimed = data.length): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(claimed, 4);
  return Buffer.concat([head, data, new Uint8Array(data.length % 2)]);
}

export const sourceOf = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read(from, into) {
    if (from < 0 || from + into.length > bytes.length) throw new Error('read beyond the end');
    into.set(bytes.subarray(from, from + into.length));
  },
});

export const sine = (hz: number, rate: number, seconds: number, amplitude = 0.5): Float32Array =>
  Float32Array.from(
    { length: Math.round(rate * seconds) },
    (_, i) => amplitude * Math.sin((2 * Math.PI * hz * i) / rate),
  );

export function pcm16(samples: ArrayLike<number>): Uint8Array {
  const bytes = Buffer.alloc(samples.length * 2);
  for (let i = 0; i < samples.length; i++)
    bytes.writeInt16LE(Math.round((samples[i] as number) * 32_767), 2 * i);
  return bytes;
}

export function floats(samples: ArrayLike<number>): Uint8Array {
  const bytes = Buffer.alloc(samples.length * 4);
  for (let i = 0; i < samples.length; i++) bytes.writeFloatLE(samples[i] as number, 4 * i);
  return bytes;
}

export interface Converted extends Readonly<Record<SoundFormat, Buffer>> {
  readonly seconds: number;
}

export function converted(wave: Uint8Array, normalize = false): Converted {
  const files: Record<SoundFormat, Buffer[]> = { wav: [], wav16: [], g722: [], alaw: [], ulaw: [] };
  const { seconds } = convertSound({
    source: sourceOf(wave),
    normalize,
    write(format, bytes, at) {
      if (at === 0) files[format][0] = Buffer.from(bytes);
      else files[format].push(Buffer.from(bytes));
    },
  });
  const joined = Object.entries(files).map(([format, parts]) => [format, Buffer.concat(parts)]);
  return { ...(Object.fromEntries(joined) as Record<SoundFormat, Buffer>), seconds };
}

/** Samples of a 16-bit WAVE file, full scale 1. */
export const samplesOf = (wave: Buffer): Float32Array =>
  Float32Array.from({ length: (wave.length - 44) / 2 }, (_, i) => wave.readInt16LE(44 + 2 * i) / 32_768);

/** RMS in dB, full scale 0; without the ends, where a filter settles. */
export function loudnessOf(samples: Float32Array, skip = 400): number {
  const middle = samples.subarray(skip, samples.length - skip);
  return 10 * Math.log10(middle.reduce((sum, value) => sum + value * value, 0) / middle.length + 1e-30);
}
