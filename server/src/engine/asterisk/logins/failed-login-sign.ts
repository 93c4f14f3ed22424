import { closeSync, type FSWatcher, fstatSync, openSync, readSync, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** The engine logs this for every wrong answer to a challenge, whatever the request looks like. */
const SIGN = ' - Failed to authenticate';
const MAX_READ = 64 * 1024;
/** Lines come in bursts. */
const PAUSE_MS = 50;

interface SignOptions {
  readonly logFile: string;
  readonly onSign: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Watches the engine's log for failed logins. They are never counted from there, since strangers write into that text.
 * It only shows when to look at the messages themselves, even if their text keeps the engine from sending an event.
 */
export function createFailedLoginSign({ logFile, onSign, onError }: SignOptions) {
  const base = basename(logFile);
  const chunk = Buffer.alloc(MAX_READ);
  let offset = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  let timer: NodeJS.Timeout | undefined;

  /** Reads what was added to the file; if it is shorter than before, it was rotated. */
  function look(): void {
    timer = undefined;
    try {
      const file = openSync(logFile, 'r');
      try {
        const { size } = fstatSync(file);
        const from = Math.max(offset > size ? 0 : offset, size - MAX_READ);
        const bytes = readSync(file, chunk, 0, size - from, from);
        offset = from + bytes;
        if (chunk.toString('latin1', 0, bytes).includes(SIGN)) onSign();
      } finally {
        closeSync(file);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onError(error);
    }
  }

  let watcher: FSWatcher | undefined;
  try {
    const made = watch(dirname(logFile), { persistent: false }, (_, changed) => {
      if (changed === base) timer ??= setTimeout(look, PAUSE_MS).unref();
    });
    watcher = made.on('error', () => made.close());
  } catch (error) {
    onError(error);
  }

  return {
    close(): void {
      watcher?.close();
      clearTimeout(timer);
    },
  };
}
