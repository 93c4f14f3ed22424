import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { HOLD_TONE_NAME } from '../../../lib/hold-tone.ts';
import { SOUND_FORMATS } from './audio/convert-sound.ts';
import { HOLD_TONE, melodyFile } from './audio/tones.ts';
import type { Conversions } from './conversions.ts';

/** Names of files: `<id>-r<revision>.<ending>`. */
const FILE = /^(\d{1,9})-r(\d{1,9})\.(original|wav|wav16|g722|alaw|ulaw)$/;
/** Folder of an upload: never played, and left out of backups. */
const TEMPORARY = /^\.upload-/;
const ORIGINAL = 'original';
/** Since when which files are unused. File times are no help: they are as old as the sound. */
const NOTES = '.unused.json';
/** Whoever hears an old file hears it to its end (contract 24.6). */
const KEPT_MS = 24 * 3600 * 1000;

/** Stored audio of a sound. */
export interface StoredAudio {
  readonly id: string;
  readonly revision: number;
}

/** An upload in progress: its folder, and where to write the file as it was sent. */
export interface Upload {
  readonly folder: string;
  readonly file: string;
}

const nameOf = ({ id, revision }: StoredAudio): string => `${id}-r${revision}`;

/** The folder of all sounds. No request chooses the name of a file in it. */
export function createSoundFolder({
  dir,
  conversions,
}: {
  readonly dir: string;
  readonly conversions: Conversions;
}) {
  const pathOf = (audio: StoredAudio, ending: string): string => join(dir, `${nameOf(audio)}.${ending}`);

  async function begin(): Promise<Upload> {
    await mkdir(dir, { recursive: true, mode: 0o750 });
    const folder = await mkdtemp(join(dir, '.upload-'));
    return { folder, file: join(folder, ORIGINAL) };
  }

  const drop = ({ folder }: Upload): Promise<void> => rm(folder, { recursive: true, force: true });

  /** Moves the files, `wav` last, so that a sound is there whole or not at all. */
  async function place({ folder, file }: Upload, name: string): Promise<void> {
    await rename(file, join(dir, `${name}.${ORIGINAL}`));
    for (const format of SOUND_FORMATS.toReversed())
      await rename(join(folder, `made.${format}`), join(dir, `${name}.${format}`));
  }

  async function readNotes(): Promise<Record<string, number>> {
    try {
      return JSON.parse(await readFile(join(dir, NOTES), 'utf8'));
    } catch {
      return {};
    }
  }

  async function writeNotes(notes: Readonly<Record<string, number>>): Promise<void> {
    const temporary = join(dir, `${NOTES}.new`);
    await writeFile(temporary, JSON.stringify(notes), { mode: 0o640 });
    await rename(temporary, join(dir, NOTES));
  }

  return {
    /** Without extension, as the engine needs it. */
    pathOf: (audio: StoredAudio): string => join(dir, nameOf(audio)),
    begin,
    drop,

    /** Makes the files to play from an upload (contract 24.5); none is heard before `keep`. */
    convert: (
      upload: Upload,
      normalize: boolean,
      signal: AbortSignal,
    ): Promise<{ readonly seconds: number }> =>
      conversions.convert({ source: upload.file, folder: upload.folder, name: 'made', normalize }, signal),

    /** Makes the converted files those of the sound. */
    async keep(upload: Upload, audio: StoredAudio): Promise<void> {
      await place(upload, nameOf(audio));
      await drop(upload);
    },

    /** The converted sound, or the file as it was sent. */
    async find(
      audio: StoredAudio,
      ending: 'wav' | 'original',
    ): Promise<{ path: string; size: number } | undefined> {
      const path = pathOf(audio, ending);
      const found = await stat(path).catch(() => undefined);
      return found?.isFile() ? { path, size: found.size } : undefined;
    },

    /** Takes the original for another conversion (contract 24.4). */
    async takeOriginal(audio: StoredAudio, { file }: Upload): Promise<void> {
      const original = pathOf(audio, ORIGINAL);
      // Not every file system supports hard links.
      await link(original, file).catch(() => copyFile(original, file));
    },

    /**
     * Removes files a day after they were first seen unused (contract 24.6), and the remains of uploads. Resolves to
     * the number of files removed.
     */
    async sweep(now: number, used: readonly StoredAudio[]): Promise<number> {
      const names = new Set(used.map(nameOf));
      const before = await readNotes();
      const notes: Record<string, number> = {};
      let removed = 0;
      for (const entry of await readdir(dir).catch(() => [])) {
        const isUnused = FILE.test(entry) && !names.has(entry.slice(0, entry.lastIndexOf('.')));
        if (!isUnused && !TEMPORARY.test(entry)) continue;
        const since = before[entry] ?? now;
        if (now - since < KEPT_MS) notes[entry] = since;
        else {
          await rm(join(dir, entry), { recursive: true, force: true });
          removed++;
        }
      }
      if (JSON.stringify(notes) !== JSON.stringify(before)) await writeNotes(notes);
      return removed;
    },

    /** Makes the tone heard on hold if no music is stored (contract 24.8), once. */
    async provideHoldTone(signal: AbortSignal): Promise<void> {
      const isThere = await stat(join(dir, `${HOLD_TONE_NAME}.${SOUND_FORMATS[0]}`)).catch(() => undefined);
      if (isThere) return;
      const upload = await begin();
      try {
        await writeFile(upload.file, melodyFile(HOLD_TONE));
        await conversions.convert(
          { source: upload.file, folder: upload.folder, name: 'made', normalize: false },
          signal,
        );
        await place(upload, HOLD_TONE_NAME);
      } finally {
        await drop(upload);
      }
    },
  };
}

export type SoundFolder = ReturnType<typeof createSoundFolder>;
