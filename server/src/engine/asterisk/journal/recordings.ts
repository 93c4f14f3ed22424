import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineEvent } from '../../events.ts';
import { isAbsent } from './journal-position.ts';
import type { OpenRecording } from './legs-state.ts';

export type RecordingFinishedEvent = Extract<EngineEvent, { type: 'recording-finished' }>;

const HEADER_BYTES = 44;
const SETTLE_MS = 1000;
/** The engine completes the file some moments after the call. */
const WAITS_MS = [100, 200, 400, 800, 1600, 3200];
/** File names as the dialplan makes them; any other name in the journal is not ours. */
const FILE = /^\d{4}\/\d\d\/\d\d\/\d\d\/[\w.-]+\.wav$/;

interface RecordingParts {
  readonly dir: string;
  readonly finished: (event: RecordingFinishedEvent) => void;
  readonly onError: (error: unknown) => void;
  readonly waitsMs?: readonly number[];
}

/** Waits until a file is complete, repairs one that an engine left unfinished, and removes those without sound. */
export function createRecordings({ dir, finished, onError, waitsMs = WAITS_MS }: RecordingParts) {
  const pending = new Map<Promise<void>, OpenRecording>();
  const stopping = new AbortController();
  const { signal } = stopping;

  async function complete(
    { file, legId, linkedId, isUnwanted }: OpenRecording,
    isLost: boolean,
  ): Promise<void> {
    if (!FILE.test(file) || file.includes('..')) return;
    signal.throwIfAborted();
    const path = join(dir, file);
    if (isUnwanted) return rm(path, { force: true });
    const handle = await open(path, 'r+');
    let bytes = 0;
    try {
      for (const wait of isLost ? [] : waitsMs) {
        await sleep(wait, undefined, { signal });
        bytes = await soundOf(handle);
        if (bytes > 0) break;
      }
      if (bytes === 0 && !signal.aborted) bytes = await mend(handle);
    } finally {
      await handle.close();
    }
    signal.throwIfAborted();
    if (bytes === 0) await rm(path, { force: true });
    else finished({ type: 'recording-finished', legId, linkedId, file });
  }

  return {
    /** Nothing more is recorded into this file; `isLost` = no engine will complete it. */
    close(recording: OpenRecording, isLost = false): void {
      const work = complete(recording, isLost).then(
        () => void pending.delete(work),
        (error) => {
          if (signal.aborted) return;
          pending.delete(work);
          // The file was removed, or never created.
          if (!isAbsent(error)) onError(error);
        },
      );
      pending.set(work, recording);
    },
    closing: (): OpenRecording[] => [...pending.values()],
    /** Resolves when all are done, but soon: the rest is done after the next start. */
    async settle(): Promise<void> {
      const enough = new AbortController();
      const soon = sleep(SETTLE_MS, undefined, { signal: enough.signal }).catch(() => {});
      await Promise.race([Promise.all(pending.keys()), soon]);
      enough.abort();
      stopping.abort();
      await Promise.all(pending.keys());
    },
  };
}

/** Bytes of sound of a complete file, else 0: the engine writes the length into the header last. */
async function soundOf(handle: FileHandle): Promise<number> {
  const header = Buffer.alloc(HEADER_BYTES);
  const { bytesRead } = await handle.read(header, 0, HEADER_BYTES, 0);
  const told = bytesRead === HEADER_BYTES ? header.readUInt32LE(40) : 0;
  return told > 0 && told === (await handle.stat()).size - HEADER_BYTES ? told : 0;
}

/** Writes the true length into the header. Resolves to the bytes of sound. */
async function mend(handle: FileHandle): Promise<number> {
  const { size } = await handle.stat();
  if (size <= HEADER_BYTES) return 0;
  const length = Buffer.alloc(4);
  length.writeUInt32LE(size - 8);
  await handle.write(length, 0, 4, 4);
  length.writeUInt32LE(size - HEADER_BYTES);
  await handle.write(length, 0, 4, 40);
  return size - HEADER_BYTES;
}
