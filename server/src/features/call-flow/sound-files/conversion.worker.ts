import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { openByteSource } from './audio/byte-source.ts';
import { convertSound, SOUND_FORMATS, type SoundFormat } from './audio/convert-sound.ts';
import { SoundRefused } from './audio/wave-file.ts';
import type { ConversionReply, ConversionTask } from './conversions.ts';

/** One conversion, then this thread ends. */
function convert({ source, folder, name, normalize }: ConversionTask): ConversionReply {
  using sound = openByteSource(source);
  const files = new Map<SoundFormat, number>();
  try {
    for (const format of SOUND_FORMATS)
      files.set(format, openSync(join(folder, `${name}.${format}`), 'wx', 0o640));
    const write = (format: SoundFormat, bytes: Uint8Array, at: number | null = null) => {
      for (let done = 0; done < bytes.length; )
        done += writeSync(
          files.get(format) as number,
          bytes,
          done,
          bytes.length - done,
          at === null ? null : at + done,
        );
    };
    return convertSound({ source: sound, normalize, write });
  } catch (error) {
    if (error instanceof SoundRefused) return { refused: error.kind, reason: error.message };
    throw error;
  } finally {
    for (const file of files.values()) closeSync(file);
  }
}

parentPort?.postMessage(convert(workerData as ConversionTask));
