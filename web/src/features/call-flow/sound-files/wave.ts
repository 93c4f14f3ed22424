/** Telephones play no more. */
export const BEST_RATE = 16_000;
/** The rate of most telephones. */
const LOW_RATE = 8000;
/** The exchange's limit for a file (contract 24.2). */
const MAX_BYTES = 50 * 1024 * 1024;
const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;

/** The rate at which a sound fits: the longest allowed sound would be too large at the best one. */
export const rateFor = (seconds: number): number =>
  HEADER_BYTES + seconds * BEST_RATE * SAMPLE_BYTES <= MAX_BYTES ? BEST_RATE : LOW_RATE;

/** Samples from -1 to 1 as a WAVE file: PCM, 16 bits, one channel. */
export function encodeWave(samples: Float32Array, rate: number): ArrayBuffer {
  const dataBytes = samples.length * SAMPLE_BYTES;
  const file = new DataView(new ArrayBuffer(HEADER_BYTES + dataBytes));
  const word = (at: number, text: string) => {
    for (const [index, letter] of [...text].entries()) file.setUint8(at + index, letter.charCodeAt(0));
  };
  word(0, 'RIFF');
  file.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
  word(8, 'WAVEfmt ');
  file.setUint32(16, 16, true);
  // PCM, one channel.
  file.setUint16(20, 1, true);
  file.setUint16(22, 1, true);
  file.setUint32(24, rate, true);
  file.setUint32(28, rate * SAMPLE_BYTES, true);
  file.setUint16(32, SAMPLE_BYTES, true);
  file.setUint16(34, 8 * SAMPLE_BYTES, true);
  word(36, 'data');
  file.setUint32(40, dataBytes, true);
  for (const [index, sample] of samples.entries())
    file.setInt16(HEADER_BYTES + index * SAMPLE_BYTES, Math.round(clamp(sample) * 0x7fff), true);
  return file.buffer as ArrayBuffer;
}

const clamp = (sample: number): number => Math.min(1, Math.max(-1, sample));

/** Mixes all channels into one. */
export function mixed(channels: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(0), ...others] = channels;
  if (others.length === 0) return first;
  return first.map(
    (sample, at) => others.reduce((sum, other) => sum + (other[at] ?? 0), sample) / channels.length,
  );
}
