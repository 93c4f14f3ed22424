import type { ReaderLink, ReaderTask } from './sqlite-link.ts';

const THREADS = 2;

interface Waiting {
  readonly task: ReaderTask;
  readonly signal: AbortSignal | undefined;
  readonly reply: PromiseWithResolvers<unknown[]>;
}

/** Threads that answer short queries, one at a time each, so that waiting queries can still be dropped. */
export function createReaderThreads(start: () => ReaderLink) {
  const threads: (ReaderLink | undefined)[] = Array.from({ length: THREADS });
  const waiting: Waiting[] = [];

  function idle(): ReaderLink | undefined {
    for (let i = 0; i < THREADS; i++) {
      if (!threads[i]?.alive()) threads[i] = start();
      if (!threads[i]?.isBusy()) return threads[i];
    }
    return undefined;
  }

  function next(): void {
    while (waiting.length > 0) {
      let thread: ReaderLink | undefined;
      try {
        thread = idle();
      } catch (error) {
        for (const { reply } of waiting.splice(0)) reply.reject(error);
      }
      if (!thread) return;
      const { task, signal, reply } = waiting.shift() as Waiting;
      if (signal?.aborted) reply.reject(signal.reason);
      else thread.rows(task).finally(next).then(reply.resolve, reply.reject);
    }
  }

  return {
    rows(task: ReaderTask, signal?: AbortSignal): Promise<unknown[]> {
      const reply = Promise.withResolvers<unknown[]>();
      waiting.push({ task, signal, reply });
      next();
      return reply.promise;
    },
  };
}
