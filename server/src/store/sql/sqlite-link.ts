import { type ChildProcess, fork } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { sqliteFailure, unavailable } from './sql-errors.ts';
import type { RowRenderer } from './sql-reader.ts';
import { rowsOf, type Table } from './sqlite-reading.ts';

interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}
/** Starts a query whose lines `next` then returns in batches. */
export interface OpenTask extends Query {
  readonly type: 'open';
  readonly renderer: RowRenderer;
}
export type ReaderTask = (Query & { readonly type: 'rows' }) | OpenTask | { readonly type: 'begin' | 'next' };
export interface ReaderRequest {
  readonly id: number;
  readonly task: ReaderTask;
}
export interface ReaderReply {
  readonly id: number;
  readonly table?: Table;
  /** Lines of text: a thread transfers them as bytes, a process sends them as text. */
  readonly pieces?: readonly (Uint8Array | string)[];
  readonly error?: { readonly message: string; readonly code?: unknown; readonly errcode?: unknown };
}

/** A thread or process that reads the database and answers requests in order. */
export type ReaderLink = ReturnType<typeof createLink>;

const PROGRAM = new URL('./sqlite-reader.worker.ts', import.meta.url);

/** A thread: the fastest to query, but it cannot be stopped in the middle of a query. */
export function startThread(file: string, onGone: () => void): ReaderLink {
  const worker = new Worker(PROGRAM, { workerData: { file } });
  return createLink(worker, {
    onGone,
    post: (request) => worker.postMessage(request),
    keep: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    stop: async () => {
      await worker.terminate();
    },
  });
}

/** A process: node:sqlite cannot interrupt a query, but a process that only reads can be killed at any moment. */
export function startProcess(file: string, onGone: () => void): ReaderLink {
  const child = fork(PROGRAM, [file], {
    // Faster than `advanced` for rows of numbers and text.
    serialization: 'json',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve); // it could not even be started
  });
  if (child.pid === undefined) child.once('error', onGone);
  return createLink(child, {
    onGone,
    // Without free file descriptors the child has no `send`; the error that follows ends the link.
    post: (request) => child.send?.(request, (error) => error && child.kill('SIGKILL')),
    keep(isBusy) {
      if (isBusy) child.ref();
      else child.unref();
      if (isBusy) child.channel?.ref();
      else child.channel?.unref();
    },
    async stop() {
      child.ref(); // our process must not end while it waits for this one
      child.kill('SIGKILL');
      await exited;
    },
  });
}

interface LinkEnd {
  post(request: ReaderRequest): void;
  /** Whether to keep the service running until it answers. */
  keep(isBusy: boolean): void;
  stop(): Promise<void>;
  /** Called when it has ended. */
  onGone(): void;
}

function createLink(source: Worker | ChildProcess, { post, keep, stop, onGone }: LinkEnd) {
  const waiting = new Map<number, PromiseWithResolvers<ReaderReply>>();
  let requests = 0;
  let ended: Error | undefined;
  keep(false);

  source.on('message', (message) => {
    const reply = message as ReaderReply;
    const { id, error } = reply;
    const task = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) keep(false);
    if (error) task?.reject(sqliteFailure(Object.assign(new Error(error.message), error)));
    else task?.resolve(reply);
  });
  source.on('error', (error: unknown) => end(error));
  source.on('exit', () => {
    end(new Error('the reader ended'));
    onGone();
  });

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
    keep(true);
    post({ id, task });
    return reply.promise;
  }

  return {
    run,
    async rows(task: ReaderTask): Promise<unknown[]> {
      const { table } = await run(task);
      return table ? rowsOf(table) : [];
    },
    isBusy: () => waiting.size > 0,
    alive: () => ended === undefined,
    stop,
  };
}
