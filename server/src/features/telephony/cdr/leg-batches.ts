import { setImmediate } from 'node:timers/promises';
import type { CdrStore } from './cdr.store.ts';
import { LegsRefused, type NewLeg } from './leg-writer.ts';

interface Waiting {
  readonly leg: NewLeg;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Stores legs in order of arrival, in batches, and finds those that the database refuses. */
export function createLegBatches({ record, legsAtOnce }: Pick<CdrStore, 'record' | 'legsAtOnce'>) {
  const waiting: Waiting[] = [];
  let writing = false;

  /** Legs that arrive during a write go together with the next one. */
  async function write(): Promise<void> {
    if (writing) return;
    writing = true;
    while (waiting.length > 0) await writeBatch(waiting.splice(0, legsAtOnce));
    writing = false;
  }

  async function writeBatch(batch: readonly Waiting[]): Promise<void> {
    let refused = false;
    try {
      await record(batch.map(({ leg }) => leg));
      for (const { done } of batch) done();
    } catch (error) {
      refused = error instanceof LegsRefused && batch.length > 1;
      if (!refused) for (const { failed } of batch) failed(error);
    }
    // SQLite writes on this thread: lets other work run in between.
    await setImmediate();
    if (!refused) return;
    // One of them is to blame, and the error does not say which.
    const half = Math.ceil(batch.length / 2);
    await writeBatch(batch.slice(0, half));
    await writeBatch(batch.slice(half));
  }

  /** Stores the leg of an ended call, or changes a known one (UNIQUEID and linkedid). Rejects with `LegsRefused`. */
  return (leg: NewLeg): Promise<void> =>
    new Promise((done, failed) => {
      waiting.push({ leg, done, failed });
      void write();
    });
}
