import type { Clock } from '../lib/clock.ts';
import { ModuleAway } from '../lib/errors.ts';
import { BrokenModule } from './broken-module.ts';
import { checkDescription, type DescribedModule } from './described-module.ts';
import {
  type ModuleWorker,
  startModuleWorker,
  type WorkerListener,
  type WorkerOptions,
} from './module-worker.ts';
import { EVENT_READS } from './protocol.ts';
import type { Send } from './resource-operations.ts';

interface RunningParts extends Omit<WorkerOptions, 'listener' | 'quit'> {
  readonly listener: Omit<WorkerListener, 'crashed' | 'subscribed' | 'described'>;
  readonly clock: Clock;
  /** At each start, also the one that follows a crash: what it publishes may have changed with its files. */
  readonly onDescribed: (described: DescribedModule) => void;
  readonly onUp: () => void;
  /** It crashed too often; it is not started again. */
  readonly onCrashLoop: (reason: string) => void;
}

/** A module that is meant to run: started again after a crash, until it crashes too often. */
export function createRunningModule({
  listener,
  clock,
  onDescribed,
  onUp,
  onCrashLoop,
  ...options
}: RunningParts) {
  const { limits, found } = options;
  const { id, reads } = found.manifest;
  const crashes: number[] = [];
  let worker: ModuleWorker | undefined;
  /** Ended by itself; its thread may still be there. */
  let crashedWorker: ModuleWorker | undefined;
  let starting: Promise<void> | undefined;
  let listened = new Set<string>();
  const quit = new AbortController();
  let restart: NodeJS.Timeout | undefined;

  function start(): Promise<void> {
    starting = begin();
    return starting;
  }

  async function begin(): Promise<void> {
    if (quit.signal.aborted) return;
    const heard = new Set<string>();
    const started = await startModuleWorker({
      ...options,
      quit: quit.signal,
      listener: {
        ...listener,
        subscribed(type) {
          const read = EVENT_READS[type];
          if (read && reads.includes(read)) heard.add(type);
        },
        described: (json) => onDescribed(checkDescription(json, found.manifest)),
        crashed,
      },
    });
    worker = started;
    listened = heard;
    onUp();
  }

  function crashed(reason: string): void {
    crashedWorker = worker ?? crashedWorker;
    worker = undefined;
    if (quit.signal.aborted) return;
    const now = clock.now();
    crashes.push(now);
    while (now - (crashes[0] as number) > limits.crashWindowMs) crashes.shift();
    listener.log('error', `crashed: ${reason}`, { crashes: crashes.length });
    if (crashes.length >= limits.crashes) {
      quit.abort();
      onCrashLoop(`it crashed ${crashes.length} times, the last time: ${reason}`);
      return;
    }
    // The first one may have been bad luck; after that it gets time to cool down.
    const delay = crashes.length === 1 ? 0 : limits.restartMs;
    restart = setTimeout(() => {
      start().catch((error: Error) => crashed(error instanceof BrokenModule ? error.message : String(error)));
    }, delay);
    restart.unref();
  }

  const send: Send = (op, as, call, caller) =>
    worker
      ? worker.call(op, as, call, caller)
      : Promise.reject(new ModuleAway(`module ${id} is starting again`));

  return {
    /** Rejects with `BrokenModule`. */
    start,
    send,
    tell(type: string, event: unknown): void {
      if (listened.has(type)) worker?.tell(type, event);
    },
    /** Resolves when none of its threads is left. */
    async stop(): Promise<void> {
      quit.abort();
      clearTimeout(restart);
      await starting?.catch(() => {}); // told to whoever started it
      await Promise.all([worker?.stop(), crashedWorker?.stop()]);
      worker = undefined;
    },
  };
}

export type RunningModule = ReturnType<typeof createRunningModule>;
