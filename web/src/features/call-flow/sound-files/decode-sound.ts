import i18next from 'i18next';
import { BEST_RATE, encodeWave, mixed, rateFor } from './wave.ts';

const isWave = ({ name, type }: File): boolean => /^audio\/(x-|vnd\.)?wav/.test(type) || /\.wav$/i.test(name);

/** A sound as the exchange takes it: a WAVE file as it is, everything else as this browser decodes it. */
export async function asWave(file: File): Promise<Blob> {
  return isWave(file) ? file : waveOf(file);
}

/** MP3, OGG, recordings of the microphone: whatever the browser can play. */
export async function waveOf(file: Blob): Promise<Blob> {
  const best = await decoded(file, BEST_RATE);
  // How long it is, is known only now.
  const rate = rateFor(best.duration);
  const sound = rate === BEST_RATE ? best : await decoded(file, rate);
  const channels = Array.from({ length: sound.numberOfChannels }, (_, at) => sound.getChannelData(at));
  return new Blob([encodeWave(mixed(channels), sound.sampleRate)], { type: 'audio/wav' });
}

/** It is converted to the rate while it is decoded. */
async function decoded(file: Blob, rate: number): Promise<AudioBuffer> {
  const decoder = new OfflineAudioContext(1, 1, rate);
  return decoder.decodeAudioData(await file.arrayBuffer()).catch(() => {
    throw new Error(i18next.t('sound-files.unreadable'));
  });
}
