import type { Clock } from '../../lib/clock.ts';
import { ModuleAway } from '../../lib/errors.ts';
import { BrokenModule } from '../description/broken-module.ts';
import { checkDescription, type DescribedModule } from '../description/described-module.ts';
import { EVENT_READS } from '../line/protocol.ts';
import { type ModuleWorker, startModuleWorker, type WorkerOptions } from '../process/module-worker.ts';
import { NO_USAGE, type ProcessUsage, sumOf } from '../process/process-usage.ts';
import type { WorkerListener } from '../process/worker-listener.ts';
import type { Send } from '../routes/resource-operations.ts';
import { createKnownDescription } from './known-description.ts';
import type { Suspects } from './suspects.ts';

interface RunningParts extends Omit<WorkerOptions, 'listener' | 'quit'> {
  readonly listener: Omit<WorkerListener, 'crashed' | 'subscribed' | 'described'>;
  readonly clock: Clock;
  /** Exits of the exchange while this module was at work; they count as crashes before its start. */
  readonly ends: readonly number[];
  /** What it was doing at the last one. */
  readonly lastEnd: string;
  /** Notes what it is doing. */
  readonly trail: Pick<Suspects, 'starting' | 'gone' | 'touch'>;
  /** At each start, including one after a crash. `send` is only for routes made from this description. */
  readonly onDescribed: (described: DescribedModule, send: Send) => void;
  readonly onUp: () => void;
  /** It crashed and is being started again. */
  readonly onRestart: () => void;
  /** It crashed too often and is not started again. */
  readonly onCrashLoop: (reason: string) => void;
  /** Whether its files are no longer those it was started with. */
  readonly isReplaced: () => Promise<boolean>;
  /** It is not restarted from changed files: they have their own manifest, and data to migrate. */
  readonly onReplaced: () => void;
}

/** A module that shall run: restarted after a crash, until it crashes too often. */
export function createRunningModule({
  listener,
  clock,
  ends,
  lastEnd,
  trail,
  onDescribed,
  onUp,
  onRestart,
  onCrashLoop,
  isReplaced,
  onReplaced,
  ...options
}: RunningParts) {
  const { limits, found } = options;
  const { id, reads } = found.manifest;
  const known = createKnownDescription(options);
  const crashes: number[] = [...ends];
  let worker: ModuleWorker | undefined;
  /** Its description as text. */
  let said = '';
  /** It ended by itself; its process may not be gone yet. */
  let crashedWorker: ModuleWorker | undefined;
  let ended = NO_USAGE;
  let starting: Promise<void> | undefined;
  /** Its routes are known; the first call starts its process. */
  let isAsleep = false;
  let sleepers = 0;
  let listened = new Set<string>();
  const quit = new AbortController();
  let restart: NodeJS.Timeout | undefined;

  function start(mayWait = false): Promise<void> {
    if (countedCrashes() >= limits.crashes) {
      giveUp(`the exchange ended unexpectedly while it was ${lastEnd}`);
      return Promise.resolve();
    }
    starting = mayWait ? beginAsleep() : begin();
    return starting;
  }

  /** A module that only waits for calls needs no process for that. */
  async function beginAsleep(): Promise<void> {
    const description = await known.read();
    if (quit.signal.aborted) return;
    if (!description || description.isAwake) return begin();
    try {
      onDescribed(checkDescription(description.json, found.manifest), sendAs(description.json));
    } catch {
      return begin(); // the module itself will report what is wrong
    }
    isAsleep = true;
    onUp();
  }

  async function begin(): Promise<void> {
    if (quit.signal.aborted) return;
    const heard = new Set<string>();
    let says = '';
    const isOver = trail.starting(id);
    const started = await startModuleWorker({
      ...options,
      quit: quit.signal,
      listener: {
        ...listener,
        subscribed(type) {
          const read = EVENT_READS[type];
          if (read && reads.includes(read)) heard.add(type);
        },
        described(json) {
          onDescribed(checkDescription(json, found.manifest), sendAs(json));
          says = json;
        },
        crashed,
      },
    })
      .catch((error: unknown) => {
        trail.gone(id);
        throw error;
      })
      .finally(isOver);
    worker = started;
    said = says;
    listened = heard;
    isAsleep = false;
    onUp();
    await known.write({ json: said, isAwake: started.isAwake });
  }

  async function beginAgain(): Promise<void> {
    if (!(await isReplaced())) return begin();
    if (!quit.signal.aborted) onReplaced();
  }

  function countedCrashes(): number {
    const since = crashes.length > 0 ? clock.now() - limits.crashWindowMs : 0;
    while (crashes.length > 0 && (crashes[0] as number) < since) crashes.shift();
    return crashes.length;
  }

  function giveUp(reason: string): void {
    quit.abort();
    onCrashLoop(`it crashed ${crashes.length} times, the last time: ${reason}`);
  }

  function crashed(reason: string): void {
    crashedWorker = worker ?? crashedWorker;
    ended = sumOf([ended, { ...(worker?.usage() ?? NO_USAGE), memoryBytes: 0 }]);
    worker = undefined;
    trail.gone(id);
    if (quit.signal.aborted) return;
    crashes.push(clock.now());
    const count = countedCrashes();
    listener.log('error', `crashed: ${reason}`, { crashes: count });
    if (count >= limits.crashes) {
      giveUp(reason);
      return;
    }
    // The first crash may have been bad luck; after that, restarts are delayed.
    const delay = count === 1 ? 0 : limits.restartMs;
    restart = setTimeout(() => {
      onRestart();
      startAgain();
    }, delay);
    restart.unref();
  }

  const failedToStart = (error: Error): void =>
    crashed(error instanceof BrokenModule ? error.message : String(error));

  function startAgain(): void {
    starting = beginAgain();
    starting.catch(failedToStart);
  }

  /** Calls that arrive meanwhile wait for the start, up to the limit of waiting calls. */
  async function wake(): Promise<void> {
    if (sleepers >= limits.pendingCalls) throw new ModuleAway(`module ${id} has more to do than it can take`);
    sleepers++;
    try {
      if (isAsleep) {
        isAsleep = false;
        startAgain();
      }
      await starting?.catch(() => {}); // reported to whoever started it
    } finally {
      sleepers--;
    }
  }

  /** In another description, the same number may be another handler, not the one of this route. */
  const sendAs =
    (description: string): Send =>
    async (op, as, call, caller) => {
      if (!worker && (isAsleep || sleepers > 0)) await wake();
      if (!worker || said !== description) throw new ModuleAway(`module ${id} is starting again`);
      return worker.call(op, as, call, caller);
    };

  return {
    /** Rejects with `BrokenModule`. */
    start,
    /** Including its processes that have ended. */
    usage: (): ProcessUsage => sumOf([ended, worker?.usage() ?? NO_USAGE]),
    tell(type: string, event: unknown): void {
      if (!worker || !listened.has(type)) return;
      trail.touch(id, 'hearing of an event');
      worker.tell(type, event);
    },
    /** Resolves when all of its processes are gone. */
    async stop(patienceMs: number): Promise<void> {
      quit.abort();
      clearTimeout(restart);
      await starting?.catch(() => {}); // reported to whoever started it
      await Promise.all([worker?.stop(patienceMs), crashedWorker?.stop(patienceMs)]);
      worker = undefined;
      trail.gone(id);
    },
  };
}

export type RunningModule = ReturnType<typeof createRunningModule>;
