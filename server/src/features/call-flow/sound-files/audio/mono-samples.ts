import type { ByteSource } from './byte-source.ts';
import { ALAW_SAMPLES, ULAW_SAMPLES } from './g711.ts';
import { type SampleKind, SoundRefused, type WaveFile } from './wave-file.ts';

const BLOCK_FRAMES = 16_384;
/** Full scale is 1, but some programs write 16-bit values as floats. Anything beyond that is no sound. */
const MAX_FLOAT = 65_536;

/** One sample, full scale ±1. */
const READERS: Readonly<Record<SampleKind, (view: DataView, at: number) => number>> = {
  u8: (view, at) => (view.getUint8(at) - 128) / 128,
  s16: (view, at) => view.getInt16(at, true) / 32_768,
  s24: (view, at) => (view.getUint16(at, true) + view.getInt8(at + 2) * 65_536) / 8_388_608,
  s32: (view, at) => view.getInt32(at, true) / 2_147_483_648,
  f32: (view, at) => view.getFloat32(at, true),
  alaw: (view, at) => (ALAW_SAMPLES[view.getUint8(at)] as number) / 32_768,
  ulaw: (view, at) => (ULAW_SAMPLES[view.getUint8(at)] as number) / 32_768,
};

/** The samples of a file, block by block; two channels become their mean. A block is valid only until the next one. */
export function* monoSamples(source: ByteSource, file: WaveFile): Generator<Float32Array> {
  const { kind, channels, frameBytes, frames, start } = file;
  const bytes = new Uint8Array(Math.min(BLOCK_FRAMES, frames) * frameBytes);
  const view = new DataView(bytes.buffer);
  const samples = new Float32Array(bytes.length / frameBytes);
  const read = READERS[kind];
  const second = frameBytes / channels;
  for (let first = 0; first < frames; first += samples.length) {
    const count = Math.min(samples.length, frames - first);
    source.read(start + first * frameBytes, bytes.subarray(0, count * frameBytes));
    for (let i = 0, at = 0; i < count; i++, at += frameBytes) {
      const left = read(view, at);
      samples[i] = channels === 1 ? left : (left + read(view, at + second)) / 2;
    }
    const block = samples.subarray(0, count);
    if (kind === 'f32') refuseWild(block);
    yield block;
  }
}

function refuseWild(samples: Float32Array): void {
  // Written this way round, NaN is refused, too.
  if (!samples.every((sample) => Math.abs(sample) <= MAX_FLOAT))
    throw new SoundRefused('broken', 'has samples that are not valid numbers');
}
