import { realpath, stat, unlink } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.webm': 'audio/webm',
};

export interface RecordingFile {
  readonly path: string;
  readonly size: number;
  /** Without the dot, lower case. */
  readonly extension: string;
  readonly contentType: string;
}

/** Recordings of calls, all inside one folder (contract 5.5). */
export function createRecordings({ folder }: { folder: string }) {
  /** The stored name may be absolute; the file must lie in the folder, links followed. */
  async function locate(name: string): Promise<RecordingFile | undefined> {
    const extension = extname(name).toLowerCase();
    const contentType = TYPES[extension];
    if (name === '' || name.includes('\0') || !contentType) return undefined;
    try {
      const [root, path] = await Promise.all([realpath(folder), realpath(resolve(folder, name))]);
      if (!path.startsWith(root + sep) || !TYPES[extname(path).toLowerCase()]) return undefined;
      const found = await stat(path);
      return found.isFile()
        ? { path, size: found.size, extension: extension.slice(1), contentType }
        : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    locate,
    /** Resolves to whether there was a file to remove. */
    async remove(name: string): Promise<boolean> {
      const file = await locate(name);
      if (!file) return false;
      await unlink(file.path);
      return true;
    },
  };
}

export type Recordings = ReturnType<typeof createRecordings>;
