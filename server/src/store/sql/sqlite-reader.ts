import { Worker } from 'node:worker_threads';
import type { CompiledQuery } from 'kysely';
import { sqliteFailure, unavailable } from './sql-errors.ts';
import type { RowRenderer, SqlReader, SqlView } from './sql-reader.ts';
import { openReading, type Reading, rowsOf, type Table } from './sqlite-reading.ts';

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
  readonly table?: Table;
  /** Lines of text as bytes. */
  readonly pieces?: readonly Uint8Array[];
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
      leastBusy().rows({ type: 'rows', sql, parameters }) as Promise<T[]>,
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
  /** What comes next is read while this is used. */
  async function* ahead<T>(next: () => Promise<readonly T[]>): AsyncGenerator<readonly T[]> {
    let coming = next();
    for (;;) {
      const some = await coming;
      if (some.length === 0) return;
      coming = next();
      coming.catch(() => {}); // seen when it is awaited, if ever
      yield some;
    }
  }

  return {
    rows: <T>({ sql, parameters }: CompiledQuery) =>
      thread.rows({ type: 'rows', sql, parameters }) as Promise<T[]>,
    async *batches<T>({ sql, parameters }: CompiledQuery) {
      await thread.run({ type: 'open', sql, parameters });
      yield* ahead(() => thread.rows({ type: 'next' })) as AsyncGenerator<T[]>;
    },
    async *lines({ sql, parameters }, renderer) {
      await thread.run({ type: 'open', sql, parameters, renderer });
      for await (const pieces of ahead(async () => (await thread.run({ type: 'next' })).pieces ?? []))
        yield Buffer.concat(pieces);
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
  const waiting = new Map<number, PromiseWithResolvers<ReaderReply>>();
  let requests = 0;
  let ended: Error | undefined;
  worker.unref();

  worker.on('message', (reply: ReaderReply) => {
    const { id, error } = reply;
    const task = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    if (error) task?.reject(sqliteFailure(Object.assign(new Error(error.message), error)));
    else task?.resolve(reply);
  });
  worker.on('error', (error) => end(error));
  worker.on('exit', () => end(new Error('the reading thread ended')));

  function end(cause: unknown): void {
    ended ??= unavailable(cause);
    for (const task of waiting.values()) task.reject(ended);
    waiting.clear();
  }

  async function run(task: ReaderTask): Promise<ReaderReply> {
    if (ended) throw ended;
    const id = ++requests;
    const reply = Promise.withResolvers<ReaderReply>();
    waiting.set(id, reply);
    worker.ref();
    worker.postMessage({ id, task } satisfies ReaderRequest);
    return reply.promise;
  }

  return {
    run,
    async rows(task: ReaderTask): Promise<unknown[]> {
      const { table } = await run(task);
      return table ? rowsOf(table) : [];
    },
    pending: () => waiting.size,
    alive: () => ended === undefined,
    async stop() {
      await worker.terminate();
    },
  };
}
