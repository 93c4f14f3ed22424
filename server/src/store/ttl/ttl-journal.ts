import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../../lib/errors.ts';

/**
 * One persisted key: plain when `body` is null, otherwise a document whose bytes are in that row of `bodies`, and whose
 * note is `value`.
 */
export interface JournalEntry {
  readonly key: string;
  readonly value: string | null;
  /** Null for a key without end. */
  readonly expiresAt: number | null;
  readonly order: number | null;
  readonly bodyId: string | null;
  readonly body: number | null;
}

export interface JournalBody {
  readonly row: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The event times of one counter; empty when the counter is deleted. */
export interface JournalCounter {
  readonly key: string;
  readonly times: readonly number[];
  readonly expiresAt: number;
}

/** The content of one transaction. The bytes of bodies are transferred, not copied, so they are empty afterwards. */
export interface JournalBatch {
  readonly entries?: readonly JournalEntry[];
  readonly gone?: readonly string[];
  readonly bodies?: readonly JournalBody[];
  readonly unusedBodies?: readonly number[];
  readonly counters?: readonly JournalCounter[];
}

export type JournalRequest =
  | { readonly type: 'open'; readonly file: string }
  | { readonly type: 'load' }
  | { readonly type: 'write'; readonly batch: JournalBatch }
  | { readonly type: 'close' };

export type JournalReply =
  | {
      readonly type: 'page';
      readonly entries: JournalEntry[];
      readonly bodies: JournalBody[];
      readonly counters: JournalCounter[];
    }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly reason: string };

export type JournalPage = Extract<JournalReply, { type: 'page' }>;

/** The SQLite file behind the embedded store. SQLite is synchronous, so it runs in its own thread. */
export interface TtlJournal {
  load(onPage: (page: JournalPage) => void): Promise<void>;
  write(batch: JournalBatch): Promise<void>;
  close(): Promise<void>;
}

/** Rejects with a `StoreUnavailable` that names the file: only the operator sees it, at start. */
export async function openTtlJournal({ file }: { file: string }): Promise<TtlJournal> {
  let thread = await start();

  async function start(): Promise<JournalThread> {
    const started = startThread();
    try {
      await started.ask({ type: 'open', file });
      return started;
    } catch (error) {
      await started.end();
      const reason = error instanceof Error ? error.message : String(error);
      throw new StoreUnavailable(`the file of expiring keys ${file} cannot be used: ${reason}`, error);
    }
  }

  return {
    load: (onPage) => thread.ask({ type: 'load' }, onPage),
    async write(batch) {
      // A thread that died (out of memory) is replaced; SQLite applied its last transaction completely or not at all.
      if (thread.dead) thread = await start();
      await thread.ask({ type: 'write', batch });
    },
    async close() {
      try {
        if (!thread.dead) await thread.ask({ type: 'close' });
      } finally {
        await thread.end();
      }
    },
  };
}

interface JournalThread {
  readonly dead: boolean;
  ask(request: JournalRequest, onPage?: (page: JournalPage) => void): Promise<void>;
  end(): Promise<void>;
}

/** Takes one request at a time: the store waits for each answer. */
function startThread(): JournalThread {
  const worker = new Worker(new URL('./ttl-journal.worker.ts', import.meta.url), { execArgv: [] });
  let dead = false;
  let asked:
    | { settle: (error?: Error) => void; onPage?: ((page: JournalPage) => void) | undefined }
    | undefined;

  function answer(error?: Error): void {
    const waiting = asked;
    asked = undefined;
    waiting?.settle(error);
  }

  worker.on('message', (reply: JournalReply) => {
    if (reply.type === 'page') asked?.onPage?.(reply);
    else answer(reply.type === 'failed' ? new Error(reply.reason) : undefined);
  });
  worker.on('error', (error) => answer(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => {
    dead = true;
    answer(new Error('the writing thread ended'));
  });

  return {
    get dead() {
      return dead;
    },
    ask(request, onPage) {
      if (dead) return Promise.reject(new Error('the writing thread ended'));
      return new Promise((resolve, reject) => {
        asked = { settle: (error) => (error ? reject(error) : resolve()), onPage };
        const bodies = (request.type === 'write' && request.batch.bodies) || [];
        worker.postMessage(
          request,
          bodies.map(({ bytes }) => bytes.buffer),
        );
      });
    },
    async end() {
      await worker.terminate();
    },
  };
}
