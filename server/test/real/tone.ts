import { readFile } from 'node:fs/promises';

const RATE = 8000;
const HEADER = 44;
const AMPLITUDE = 8000;

/** A sine wave as a 16 bit mono WAV file, which identifies a phone in a recording. */
export function toneWav(hz: number, seconds: number): Buffer {
  const samples = RATE * seconds;
  const wav = Buffer.alloc(HEADER + samples * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(HEADER - 8 + samples * 2, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20); // PCM
  wav.writeUInt16LE(1, 22); // mono
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(samples * 2, 40);
  for (let i = 0; i < samples; i++) {
    wav.writeInt16LE(Math.round(AMPLITUDE * Math.sin((2 * Math.PI * hz * i) / RATE)), HEADER + i * 2);
  }
  return wav;
}

/** The same as headerless G.711 µ-law, as sipp streams it. */
export function toneUlaw(hz: number, seconds: number): Buffer {
  const wav = toneWav(hz, seconds);
  return Buffer.from(Array.from({ length: RATE * seconds }, (_, i) => ulaw(wav.readInt16LE(HEADER + i * 2))));
}

function ulaw(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), 32_635) + 132;
  const exponent = Math.floor(Math.log2(magnitude)) - 7;
  const mantissa = (magnitude >> (exponent + 3)) & 15;
  return ~((sample < 0 ? 128 : 0) | (exponent << 4) | mantissa) & 255;
}

export interface Sound {
  readonly seconds: number;
  /** Amplitude of one frequency during the loudest second: 0 to about 8000. */
  strength(hz: number): number;
  /** How often it is heard after at least a twentieth of a second of silence. */
  beeps(hz: number): number;
  /** How long it is heard in total. */
  secondsOf(hz: number): number;
  /** The longest time for which it is not heard, in seconds. */
  longestPause(hz: number): number;
  /** The order in which these frequencies are heard; a repeat counts only after another frequency. */
  turns(...hz: readonly number[]): number[];
}

/** Reads a 16 bit mono WAV file of 8 kHz. */
export async function readSound(wav: string | Buffer): Promise<Sound> {
  const bytes = typeof wav === 'string' ? await readFile(wav) : wav;
  if (bytes.toString('latin1', 0, 4) !== 'RIFF') throw new Error('this is no WAV file');
  if (bytes.readUInt16LE(20) !== 1 || bytes.readUInt16LE(34) !== 16)
    throw new Error('not 16 bit PCM, which is what browsers play');
  const samples = new Int16Array(Math.floor((bytes.length - HEADER) / 2));
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(HEADER + i * 2);
  return soundOf(samples);
}

/** Reads headerless G.711 µ-law, as received over RTP. */
export const soundOfUlaw = (bytes: Buffer): Sound => soundOf(Int16Array.from(bytes, sampleOf));

function sampleOf(byte: number): number {
  const bits = ~byte & 255;
  const magnitude = ((((bits & 15) << 3) + 132) << ((bits >> 4) & 7)) - 132;
  return bits & 128 ? -magnitude : magnitude;
}

function soundOf(samples: Int16Array): Sound {
  /** Whether it is heard in each twentieth of a second. */
  function heard(hz: number): boolean[] {
    const size = RATE / 20;
    return Array.from(
      { length: Math.floor(samples.length / size) },
      // Half the value of a block that is filled with it.
      (_, at) => goertzel(samples.subarray(at * size, (at + 1) * size), hz) > AMPLITUDE / 40,
    );
  }

  return {
    seconds: samples.length / RATE,
    strength(hz) {
      let best = 0;
      for (let from = 0; from < samples.length; from += RATE / 2) {
        best = Math.max(best, goertzel(samples.subarray(from, from + RATE), hz));
      }
      return Math.round(best);
    },
    beeps: (hz) => heard(hz).filter((isOn, at, all) => isOn && !all[at - 1]).length,
    secondsOf: (hz) => heard(hz).filter(Boolean).length / 20,
    longestPause(hz) {
      let [longest, blocks] = [0, 0];
      for (const isHeard of heard(hz)) {
        blocks = isHeard ? 0 : blocks + 1;
        longest = Math.max(longest, blocks);
      }
      return longest / 20;
    },
    turns(...all) {
      const tones = all.map((hz) => [hz, heard(hz)] as const);
      const order: number[] = [];
      for (let at = 0; at < samples.length / (RATE / 20); at++) {
        const now = tones.flatMap(([hz, isHeard]) => (isHeard[at] ? hz : []));
        // Two at once are the transition from one to the next.
        if (now.length === 1 && now[0] !== order.at(-1)) order.push(...now);
      }
      return order;
    },
  };
}

/** A single bin of a Fourier transform. */
function goertzel(samples: Int16Array, hz: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hz) / RATE);
  let [before, last] = [0, 0];
  for (const sample of samples) [before, last] = [last, sample + factor * last - before];
  const power = Math.max(0, last * last + before * before - factor * last * before);
  // Dividing by RATE makes a short last piece count in proportion to its length.
  return (Math.sqrt(power) / RATE) * 2;
}
