import { existsSync, type FSWatcher, readSync, watch } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import { EngineAway } from '../../../lib/errors.ts';
import { isAbsent } from './journal-position.ts';

const CHUNK_BYTES = 64 * 1024;
const HEAD_BYTES = 200;
/** A burst of lines is read once. */
const BURST_MS = 50;
const POLL_MS = 500;
const ROTATE_BYTES = 4 * 1024 * 1024;
/** The engine opens the file anew for each line: after this time nobody writes to the old name any more. */
const GRACE_MS = 1000;
/** After a failure, how long until the writer is asked again: each attempt renames the file for a moment. */
const ASK_AGAIN_MS = 60_000;

/** A place in the journal. Files are renamed when they are put aside, so they are identified by how they begin. */
export interface JournalPlace {
  readonly head: string;
  readonly offset: number;
}

interface JournalParts {
  readonly file: string;
  readonly clock: Clock;
  readonly onLine: (line: string) => void;
  readonly onError: (error: unknown) => void;
  readonly from?: JournalPlace | undefined;
  /** For a writer that keeps the file open: resolves when it writes to a new file of the same name. */
  readonly reopen?: () => Promise<unknown>;
  readonly rotateBytes?: number;
}

/** Follows the file that the engine appends to, from a place on. When the file has grown, puts it aside and goes on. */
export function createJournal(parts: JournalParts) {
  const { file, clock, onLine, onError, from, reopen, rotateBytes = ROTATE_BYTES } = parts;
  const [dir, base] = [dirname(file), basename(file)];
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let handle: FileHandle | undefined;
  /** The current name of the open file. */
  let name = '';
  let head = '';
  let offset = 0;
  let rotatedAt = 0;
  let failedAt = 0;
  let wanted = from;
  let isClosed = false;
  let reading: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  /** Files read to the end; removed once that has been saved. */
  let done: string[] = [];

  /** Oldest first; the one being written is the last. */
  async function names(): Promise<string[]> {
    const found = await readdir(dir);
    const aside = found.filter(
      (entry) => entry.startsWith(`${base}.`) && /^\d+$/.test(entry.slice(base.length + 1)),
    );
    return [...aside.sort(), ...(found.includes(base) ? [base] : [])];
  }

  async function openNext(): Promise<boolean> {
    const candidates = (await names()).filter((entry) => !done.includes(entry));
    let chosen = candidates[0];
    let start = 0;
    const place = wanted;
    for (const entry of place ? candidates : []) {
      if (!place || (await headOf(join(dir, entry))) !== place.head) continue;
      done = candidates.slice(0, candidates.indexOf(entry));
      [chosen, start] = [entry, place.offset];
    }
    if (chosen === undefined) return false;
    handle = await open(join(dir, chosen), 'r');
    name = chosen;
    head = start > 0 ? (place?.head ?? '') : '';
    offset = start;
    wanted = undefined;
    rotatedAt = chosen === base ? 0 : Number(chosen.slice(base.length + 1));
    return true;
  }

  /** One pass to the end of everything that is there. */
  async function read(): Promise<void> {
    while (!isClosed && (handle || (await openNext()))) {
      // Synchronous: the few lines are in memory, and a detour over other threads costs more than reading them.
      const bytesRead = readSync((handle as FileHandle).fd, chunk, 0, CHUNK_BYTES, offset);
      const end = bytesRead === 0 ? -1 : chunk.lastIndexOf(0x0a, bytesRead - 1);
      if (end >= 0) {
        if (offset === 0) head = chunk.toString('latin1', 0, Math.min(HEAD_BYTES, chunk.indexOf(0x0a)));
        const lines = chunk.toString('latin1', 0, end).split('\n');
        // Advance the place first, so that listeners see the line as read.
        offset += end + 1;
        for (const line of lines) if (line !== '') onLine(line.trimEnd());
        // After an outage there is much to read: let others run in between.
        if (bytesRead === CHUNK_BYTES) await setImmediate();
      } else if (bytesRead === CHUNK_BYTES) {
        // No line of ours is that long.
        offset += bytesRead;
      } else if (name !== base && Math.abs(clock.now() - rotatedAt) >= GRACE_MS) {
        // Also when the clock was set back: do not wait until it catches up.
        await finish();
      } else {
        await rotateWhenLarge();
        return;
      }
    }
  }

  async function finish(): Promise<void> {
    const finished = handle;
    handle = undefined;
    done.push(name);
    await finished?.close();
  }

  async function rotateWhenLarge(): Promise<void> {
    if (name !== base || offset < rotateBytes || Math.abs(clock.now() - failedAt) < ASK_AGAIN_MS) return;
    const aside = `${base}.${clock.now()}`;
    await rename(file, join(dir, aside));
    try {
      await reopen?.();
    } catch (error) {
      failedAt = clock.now();
      // With a new file, the writer got the request, although its answer was lost. Without, it still writes to this
      // one.
      if (!existsSync(file)) {
        await rename(join(dir, aside), file);
        if (error instanceof EngineAway) return;
        throw error;
      }
    }
    rotatedAt = clock.now();
    name = aside;
  }

  /** One after the other; a failure is reported, and the next pass tries again. */
  function catchUp(): Promise<void> {
    reading = reading.then(read).catch((error) => {
      if (!isAbsent(error)) onError(error);
    });
    return reading;
  }

  /** Each line would wake us, nine per call; so after the first one we stop watching until all of them are read. */
  function soon(): void {
    if (isClosed) return;
    watcher?.close();
    timer ??= setTimeout(() => {
      timer = undefined;
      listen();
      void catchUp();
    }, BURST_MS);
  }

  function listen(): void {
    if (isClosed) return;
    try {
      const made = watch(dir, { persistent: false }, (_, changed) => changed === base && soon());
      watcher = made.on('error', () => made.close());
    } catch (error) {
      // If nothing can be watched, the poll below is enough.
      onError(error);
    }
  }

  const poll = setInterval(() => void catchUp(), POLL_MS);
  poll.unref();
  const opened = mkdir(dir, { recursive: true }).then(listen);
  opened.catch(onError);

  return {
    /** Resolves when everything that was written before the call has been read. */
    catchUp,
    place: (): JournalPlace | undefined => (head === '' ? wanted : { head, offset }),
    /** Files that were read to their end. */
    done: (): readonly string[] => [...done],
    /** Removes files once a place after them has been saved. */
    async remove(files: readonly string[]): Promise<void> {
      done = done.filter((entry) => !files.includes(entry));
      for (const entry of files) await rm(join(dir, entry), { force: true });
    },
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(poll);
      clearTimeout(timer);
      await opened.catch(() => undefined);
      watcher?.close();
      await reading;
      await handle?.close();
      handle = undefined;
    },
  };
}

/** The first line, as far as needed to tell files apart: it has a time to the microsecond. */
async function headOf(path: string): Promise<string | undefined> {
  const opened = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(HEAD_BYTES + 1), 0, HEAD_BYTES + 1, 0);
    const end = buffer.subarray(0, bytesRead).indexOf(0x0a);
    if (end < 0 && bytesRead <= HEAD_BYTES) return undefined;
    return buffer.toString('latin1', 0, end < 0 ? HEAD_BYTES : end);
  } finally {
    await opened.close();
  }
}
