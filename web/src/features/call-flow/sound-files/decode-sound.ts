import i18next from 'i18next';
import { BEST_RATE, encodeWave, mixed, rateFor } from './wave.ts';

const isWave = ({ name, type }: File): boolean => /^audio\/(x-|vnd\.)?wav/.test(type) || /\.wav$/i.test(name);

/** A sound in the format for the exchange: a WAVE file unchanged, anything else decoded by this browser. */
export async function asWave(file: File): Promise<Blob> {
  return isWave(file) ? file : waveOf(file);
}

/** MP3, OGG, recordings of the microphone: anything the browser can play. */
export async function waveOf(file: Blob): Promise<Blob> {
  const best = await decoded(file, BEST_RATE);
  // The duration is only known now.
  const rate = rateFor(best.duration);
  const sound = rate === BEST_RATE ? best : await decoded(file, rate);
  const channels = Array.from({ length: sound.numberOfChannels }, (_, at) => sound.getChannelData(at));
  return new Blob([encodeWave(mixed(channels), sound.sampleRate)], { type: 'audio/wav' });
}

/** Decoding also converts to the rate. */
async function decoded(file: Blob, rate: number): Promise<AudioBuffer> {
  const decoder = new OfflineAudioContext(1, 1, rate);
  return decoder.decodeAudioData(await file.arrayBuffer()).catch(() => {
    throw new Error(i18next.t('sound-files.unreadable'));
  });
}
