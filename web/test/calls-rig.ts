import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wallText, wallTime } from '../../server/src/lib/zoned-time.ts';
import type { Stores } from '../../server/test/make-app.ts';

const RATE = 8000;

/** The time this many seconds ago, in the format of call records. */
export const ago = (seconds: number): string =>
  wallText(wallTime(Date.now() - seconds * 1000, 'Europe/Berlin'));

/** Writes a recording of a soft tone, as the engine would. */
export async function writeTone(stores: Stores, name: string, seconds: number): Promise<void> {
  const samples = Buffer.alloc(seconds * RATE * 2);
  for (let i = 0; i < seconds * RATE; i++) samples.writeInt16LE(Math.round(2000 * Math.sin(i / 3)), i * 2);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  const folder = join(stores.settings.PBXCORE_DATA_DIR as string, 'recordings');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), Buffer.concat([head, samples]));
}
