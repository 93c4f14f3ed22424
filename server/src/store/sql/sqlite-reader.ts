import { Worker } from 'node:worker_threads';
import type { CompiledQuery } from 'kysely';
import { sqliteFailure, unavailable } from './sql-errors.ts';
import type { RowRenderer, SqlReader, SqlView } from './sql-reader.ts';
import { openReading, type Reading } from './sqlite-reading.ts';

/** Threads that answer single queries; each view has one of its own. */
const THREADS = 2;

export interface OpenTask {
  readonly type: 'open';
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** The rows are then handed over as bytes of text. */
  readonly renderer?: RowRenderer;
}
export type ReaderTask =
  | { readonly type: 'rows'; readonly sql: string; readonly parameters: readonly unknown[] }
  | OpenTask
  | { readonly type: 'begin' | 'next' };
export interface ReaderRequest {
  readonly id: number;
  readonly task: ReaderTask;
}
export interface ReaderReply {
  readonly id: number;
  readonly rows?: unknown[];
  readonly error?: { readonly message: string; readonly code?: unknown; readonly errcode?: unknown };
}

export function createSqliteReader(file: string): SqlReader {
  const threads: (ReaderThread | undefined)[] = Array.from({ length: THREADS });
  const views = new Set<ReaderThread>();
  let here: Reading | undefined;

  function leastBusy(): ReaderThread {
    let best = 0;
    for (let i = 0; i < THREADS; i++) {
      if (!threads[i]?.alive()) threads[i] = undefined;
      if ((threads[i]?.pending() ?? 0) < (threads[best]?.pending() ?? 0)) best = i;
    }
    threads[best] ??= startThread(file);
    return threads[best] as ReaderThread;
  }

  return {
    rows: <T>({ sql, parameters }: CompiledQuery) =>
      leastBusy().run({ type: 'rows', sql, parameters }) as Promise<T[]>,
    async lookUp<T>({ sql, parameters }: CompiledQuery) {
      try {
        here ??= openReading(file);
        return here.rows(sql, parameters) as T[];
      } catch (error) {
        throw sqliteFailure(error);
      }
    },
    async openView() {
      const thread = startThread(file);
      views.add(thread);
      await thread.run({ type: 'begin' });
      return createView(thread, () => views.delete(thread));
    },
    async close() {
      here?.db.close();
      await Promise.all([...threads, ...views].map((thread) => thread?.stop()));
    },
  };
}

function createView(thread: ReaderThread, onClose: () => void): SqlView {
  async function* batches<T>({ sql, parameters }: CompiledQuery, renderer?: RowRenderer) {
    await thread.run({ type: 'open', sql, parameters, ...(renderer && { renderer }) });
    // The next rows are read while these are used.
    let coming = thread.run({ type: 'next' });
    for (;;) {
      const rows = (await coming) as T[];
      if (rows.length === 0) return;
      coming = thread.run({ type: 'next' });
      coming.catch(() => {}); // seen when it is awaited, if ever
      yield rows;
    }
  }

  return {
    rows: <T>({ sql, parameters }: CompiledQuery) =>
      thread.run({ type: 'rows', sql, parameters }) as Promise<T[]>,
    batches: <T>(query: CompiledQuery) => batches<T>(query),
    async *lines(query, renderer) {
      for await (const pieces of batches<Uint8Array>(query, renderer)) yield Buffer.concat(pieces);
    },
    async close() {
      onClose();
      await thread.stop();
    },
  };
}

type ReaderThread = ReturnType<typeof startThread>;

function startThread(file: string) {
  const worker = new Worker(new URL('./sqlite-reader.worker.ts', import.meta.url), { workerData: { file } });
  const waiting = new Map<number, { resolve: (rows: unknown[]) => void; reject: (error: unknown) => void }>();
  let requests = 0;
  let ended: Error | undefined;
  worker.unref();

  worker.on('message', ({ id, rows, error }: ReaderReply) => {
    const task = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    if (error) task?.reject(sqliteFailure(Object.assign(new Error(error.message), error)));
    else task?.resolve(rows ?? []);
  });
  worker.on('error', (error) => end(error));
  worker.on('exit', () => end(new Error('the reading thread ended')));

  function end(cause: unknown): void {
    ended ??= unavailable(cause);
    for (const task of waiting.values()) task.reject(ended);
    waiting.clear();
  }

  return {
    run(task: ReaderTask): Promise<unknown[]> {
      if (ended) return Promise.reject(ended);
      const id = ++requests;
      worker.ref();
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, task } satisfies ReaderRequest);
      });
    },
    pending: () => waiting.size,
    alive: () => ended === undefined,
    async stop() {
      await worker.terminate();
    },
  };
}
