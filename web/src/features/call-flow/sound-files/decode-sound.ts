import i18next from 'i18next';
import { encodeWave, mixed, RATE } from './wave.ts';

const isWave = ({ name, type }: File): boolean => /^audio\/(x-|vnd\.)?wav/.test(type) || /\.wav$/i.test(name);

/** A sound as the exchange takes it: a WAVE file as it is, everything else as this browser decodes it. */
export async function asWave(file: File): Promise<Blob> {
  return isWave(file) ? file : waveOf(await file.arrayBuffer());
}

/** MP3, OGG, recordings of the microphone: whatever the browser can play. */
export async function waveOf(bytes: ArrayBuffer): Promise<Blob> {
  // It is converted to this rate while it is decoded.
  const decoder = new OfflineAudioContext(1, 1, RATE);
  const sound = await decoder.decodeAudioData(bytes).catch(() => {
    throw new Error(i18next.t('sound-files.unreadable'));
  });
  const channels = Array.from({ length: sound.numberOfChannels }, (_, at) => sound.getChannelData(at));
  return new Blob([encodeWave(mixed(channels), sound.sampleRate)], { type: 'audio/wav' });
}
