import { createHash } from 'node:crypto';
import { type Dirent, type FSWatcher, watch } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { CommandFailed } from '../../command.ts';
import { type FileState, type FolderState, isForeign } from './folder-state.ts';

/** Editors write several files, and a file in several steps. */
const SETTLE_MS = 50;
/** A program that writes all the time does not delay us forever. */
const LONGEST_MS = 1_000;

/**
 * Reports when something in a folder may have changed, and its new state. Events only wake it: changes are found by
 * reading the folder, so neither the order nor the loss of an event matters.
 */
export function watchFolder(folder: string) {
  const watchers = new Map<string, FSWatcher>();
  const known = new Map<string, FileState>();
  let woken = Promise.withResolvers<void>();
  let first: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    const now = performance.now();
    first ??= now;
    clearTimeout(timer);
    timer = setTimeout(() => woken.resolve(), Math.max(0, Math.min(SETTLE_MS, first + LONGEST_MS - now)));
  }

  function listen(dir: string): void {
    if (watchers.has(dir)) return;
    const watcher = openWatcher(dir, (kind, name) => {
      if (name !== null && isForeign(name)) return;
      // It may be another folder of the same name from now on.
      if (kind === 'rename') forget(name === null ? dir : join(dir, name));
      wake();
    });
    watcher.on('error', () => forget(dir));
    watchers.set(dir, watcher);
  }

  function forget(path: string): void {
    for (const [dir, watcher] of watchers) {
      if (dir !== path && !dir.startsWith(path + sep)) continue;
      watcher.close();
      watchers.delete(dir);
    }
  }

  const above = openWatcher(dirname(folder), (_kind, name) => {
    if (name !== basename(folder)) return;
    forget(folder);
    wake();
  });

  async function walk(dir: string, state: Map<string, FileState>): Promise<void> {
    // In this order, so that changes after the reading cause an event.
    listen(dir);
    const entries: Dirent[] = await readdir(dir, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (isForeign(entry.name)) continue;
      const path = join(dir, entry.name);
      await ifThere(async () => {
        if (entry.isDirectory()) await walk(path, state);
        else state.set(...(await look(path, entry)));
      });
    }
  }

  async function look(path: string, entry: Dirent): Promise<[string, FileState]> {
    const name = relative(folder, path).split(sep).join('/');
    const { mtimeNs, size, ino } = await lstat(path, { bigint: true });
    const mark = `${mtimeNs} ${size} ${ino}`;
    const before = known.get(name);
    if (before?.mark === mark) return [name, before];
    const content = entry.isFile()
      ? await readFile(path)
      : entry.isSymbolicLink()
        ? await readlink(path)
        : '';
    const found = { mark, hash: createHash('sha256').update(content).digest('hex') };
    // A file may be written again within the resolution of the file system's time.
    if (Date.now() - Number(mtimeNs / 1_000_000n) > 2 * SETTLE_MS) known.set(name, found);
    return [name, found];
  }

  return {
    /** As if something had been written. */
    wake,

    /** Resolves once something was written and nothing more for a moment, to when that began. Rejects if aborted. */
    async changed(signal: AbortSignal): Promise<number> {
      signal.throwIfAborted();
      const aborted = Promise.withResolvers<never>();
      const abort = () => aborted.reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      try {
        await Promise.race([woken.promise, aborted.promise]);
      } finally {
        signal.removeEventListener('abort', abort);
      }
      const began = first ?? performance.now();
      woken = Promise.withResolvers();
      first = undefined;
      return began;
    },

    /** `undefined` if the folder does not exist. */
    async look(): Promise<FolderState | undefined> {
      const state = new Map<string, FileState>();
      return ifThere(async () => {
        await walk(folder, state);
        // It may have been removed meanwhile, file by file.
        await lstat(folder);
        return state;
      });
    },

    close(): void {
      clearTimeout(timer);
      above.close();
      forget(folder);
    },
  };
}

/** A file may vanish between two steps, or be replaced by a folder. */
async function ifThere<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

function openWatcher(dir: string, listener: (kind: string, name: string | null) => void): FSWatcher {
  try {
    return watch(dir, listener);
  } catch (error) {
    if (!['ENOSPC', 'EMFILE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new CommandFailed(
      'the system lets this user watch no more folders',
      'raise fs.inotify.max_user_watches and fs.inotify.max_user_instances with sysctl',
      error,
    );
  }
}
