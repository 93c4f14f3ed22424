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
  /** Ends that count before it is started: the exchange ended with it. */
  readonly ends: readonly number[];
  /** What it was at, the last time. */
  readonly lastEnd: string;
  /** Notes what it is at. */
  readonly trail: Pick<Suspects, 'starting' | 'gone' | 'touch'>;
  /** At each start, also the one that follows a crash. `send` is for what is made of this description alone. */
  readonly onDescribed: (described: DescribedModule, send: Send) => void;
  readonly onUp: () => void;
  /** It crashed and is started again. */
  readonly onRestart: () => void;
  /** It crashed too often; it is not started again. */
  readonly onCrashLoop: (reason: string) => void;
  /** Other files lie there than those that it was begun with. */
  readonly isReplaced: () => Promise<boolean>;
  /** It is not started again from other files: they have a manifest of their own, and data to migrate. */
  readonly onReplaced: () => void;
}

/** A module that is meant to run: started again after a crash, until it crashes too often. */
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
  /** What it described, as text. */
  let said = '';
  /** Ended by itself; its process may still be there. */
  let crashedWorker: ModuleWorker | undefined;
  let ended = NO_USAGE;
  let starting: Promise<void> | undefined;
  /** What it published is known; its process is started with the first call. */
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

  /** One that only waits for calls does so without a process. */
  async function beginAsleep(): Promise<void> {
    const description = await known.read();
    if (quit.signal.aborted) return;
    if (!description || description.isAwake) return begin();
    try {
      onDescribed(checkDescription(description.json, found.manifest), sendAs(description.json));
    } catch {
      return begin(); // it says by itself what is wrong
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
    // The first one may have been bad luck; after that it gets time to cool down.
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

  /** Calls that come meanwhile wait for it, as many as may wait for a module. */
  async function wake(): Promise<void> {
    if (sleepers >= limits.pendingCalls) throw new ModuleAway(`module ${id} has more to do than it can take`);
    sleepers++;
    try {
      if (isAsleep) {
        isAsleep = false;
        startAgain();
      }
      await starting?.catch(() => {}); // told to whoever started it
    } finally {
      sleepers--;
    }
  }

  /** In another description the same number may be another handler, which the route was not made for. */
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
    /** Of its processes, those that have ended included. */
    usage: (): ProcessUsage => sumOf([ended, worker?.usage() ?? NO_USAGE]),
    tell(type: string, event: unknown): void {
      if (!worker || !listened.has(type)) return;
      trail.touch(id, 'hearing of an event');
      worker.tell(type, event);
    },
    /** Resolves when none of its processes is left. */
    async stop(patienceMs: number): Promise<void> {
      quit.abort();
      clearTimeout(restart);
      await starting?.catch(() => {}); // told to whoever started it
      await Promise.all([worker?.stop(patienceMs), crashedWorker?.stop(patienceMs)]);
      worker = undefined;
      trail.gone(id);
    },
  };
}

export type RunningModule = ReturnType<typeof createRunningModule>;
