import { waveHeader } from './wave-header.ts';

interface Note {
  readonly hz: number;
  readonly seconds: number;
}

interface Melody {
  readonly notes: readonly Note[];
  /** Including the silence after the notes. */
  readonly seconds: number;
  /** As a fraction of full scale. */
  readonly amplitude: number;
}

const RATE = 16_000;
/** A note that begins or ends abruptly clicks. */
const FADE_SECONDS = 0.02;

/** For callers on hold if no music is stored (contract 24.8). */
export const HOLD_TONE: Melody = {
  notes: [
    { hz: 523, seconds: 0.4 },
    { hz: 659, seconds: 0.6 },
  ],
  seconds: 8,
  amplitude: 0.06,
};

/** The first sound of a new installation (contract 29.7). */
export const ATTENTION_TONE: Melody = {
  notes: [
    { hz: 659, seconds: 0.25 },
    { hz: 784, seconds: 0.25 },
    { hz: 1047, seconds: 0.5 },
  ],
  seconds: 1.2,
  amplitude: 0.3,
};

/** As a file in WAVE format. */
export function melodyFile({ notes, seconds, amplitude }: Melody): Buffer {
  const samples = new Int16Array(Math.round(seconds * RATE));
  let start = 0;
  for (const note of notes) {
    const length = Math.round(note.seconds * RATE);
    for (let i = 0; i < length; i++) {
      const fade = Math.min(1, Math.min(i, length - i) / (FADE_SECONDS * RATE));
      samples[start + i] = Math.round(
        32_767 * amplitude * fade * Math.sin((2 * Math.PI * note.hz * i) / RATE),
      );
    }
    start += length;
  }
  return Buffer.concat([waveHeader(RATE, samples.length), new Uint8Array(samples.buffer)]);
}
