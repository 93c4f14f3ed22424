import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MAX_CHANGES, MAX_QUESTION_BYTES } from '@pbxcore/module/fields';
import type { Caller } from '../../http/caller.ts';
import { ModuleAway, ModuleFailed } from '../../lib/errors.ts';
import { isNestedDeeper } from '../../lib/json-depth.ts';
import { shownText } from '../../lib/shown-text.ts';
import { BrokenModule, must } from '../description/broken-module.ts';
import type { FoundModule } from '../folder/module-folder.ts';
import { createLogBudget } from '../line/log-budget.ts';
import { MAX_ASKS } from '../line/message-sizes.ts';
import type { CallMessage, Done, FromWorker, ResultKind, ToWorker, WorkerSetup } from '../line/protocol.ts';
import type { ModuleLimits } from './limits.ts';
import { startModuleProcess } from './module-process.ts';
import { createPendingCalls } from './pending-calls.ts';
import type { WorkerListener } from './worker-listener.ts';
import { RUNTIME_FOLDERS } from './worker-source.ts';

export interface WorkerOptions {
  readonly found: FoundModule;
  readonly dataDir: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly pbx: WorkerSetup['pbx'];
  readonly closedPorts: WorkerSetup['closedPorts'];
  readonly limits: ModuleLimits;
  readonly listener: WorkerListener;
  /** Cancels a start that is under way. A finished one is ended by `stop`. */
  readonly quit?: AbortSignal;
}

/** Starts a module in a process of its own and resolves once it has described itself. Rejects with `BrokenModule`. */
export async function startModuleWorker({
  found,
  dataDir,
  settings,
  pbx,
  closedPorts,
  limits,
  listener,
  quit,
}: WorkerOptions) {
  const { manifest, folder } = found;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const ownData = await realpath(dataDir);
  const setup: WorkerSetup = {
    id: manifest.id,
    generation: manifest.generation,
    main: join(folder, manifest.main),
    folder,
    settings: JSON.stringify(settings),
    reads: manifest.reads,
    pbx,
    saves: { changes: MAX_CHANGES, bytes: MAX_QUESTION_BYTES },
    closedPorts,
  };
  // The start may have been given up during the awaits above.
  quit?.throwIfAborted();
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  let isStarting = true;
  let isLoading = false;
  let isDescribed = false;
  let isAwake = true;
  let isStopping = false;
  let isOver = false;
  let pinged: { readonly at: number; readonly waited: number } | undefined;
  let asks = 0;
  /** What the exchange does for its start, each step once: it cannot gain time again and again. */
  const steps = new Set(['data.open', 'data.index', 'data.keep']);
  const mayLog = createLogBudget();

  const child = await startModuleProcess({
    setup,
    dataDir: ownData,
    limits,
    wrote: (level, line) => listener.log(level, line, undefined, 'wrote'),
    take,
    onEnd: (reason) => kill(reason),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof BrokenModule) throw error;
    throw new BrokenModule(`it could not be started: ${error.code ?? error.message}`);
  });
  const { post } = child;
  const calls = createPendingCalls({ limits, id: manifest.id, post });

  function over(reason: string): void {
    if (isOver) return;
    isOver = true;
    clearInterval(watch);
    stopped.resolve();
    calls.end(isStopping ? new ModuleAway(`module ${manifest.id} was stopped`) : failure(reason));
    if (isStarting) started.reject(new BrokenModule(reason));
    // Whoever waits for the start learns of that first, even if both messages arrive together.
    else if (!isStopping) setImmediate(() => listener.crashed(reason));
  }

  const failure = (reason: string) =>
    reason === STUCK
      ? new ModuleAway(`module ${manifest.id} does not respond`)
      : new ModuleFailed(`module ${manifest.id} failed`);

  let impatience: NodeJS.Timeout | undefined;
  function allow(ms: number | undefined): void {
    clearTimeout(impatience);
    if (isStarting && !isOver && ms !== undefined)
      impatience = setTimeout(() => kill('it did not start in time'), ms);
  }
  allow(BOOT_MS);
  const giveUp = () => kill('it was no longer needed');
  quit?.addEventListener('abort', giveUp);

  // A module in an endless loop cannot answer. Time spent waiting for a processor does not count.
  const watch = setInterval(
    () => {
      if (isStarting) return;
      const [at, waited] = [performance.now(), child.waitedMs()];
      if (!pinged) {
        pinged = { at, waited };
        post({ t: 'ping' });
        return;
      }
      const asked = pinged;
      const silentMs = at - asked.at - (waited - asked.waited);
      if (silentMs > limits.stuckMs)
        // The exchange itself may have been delayed: an answer that has arrived is read before this runs.
        setImmediate(() => {
          if (pinged === asked) kill(STUCK);
        });
      else if (silentMs > SLOW_MS) child.giveWay();
    },
    Math.max(50, limits.stuckMs / 4),
  );
  watch.unref();
  if (quit?.aborted) giveUp();

  function kill(reason: string): void {
    over(reason);
    child.kill();
  }

  function take(message: FromWorker): void {
    if (isOver) return;
    switch (message.t) {
      case 'loading':
        if (!isLoading) allow(limits.startMs);
        isLoading = true;
        break;
      case 'described':
        if (!isDescribed) describe(message.json);
        isDescribed = true;
        break;
      case 'started':
        isAwake = message.isAwake;
        if (!isDescribed) break;
        isStarting = false;
        started.resolve();
        break;
      case 'failed':
        listener.log('error', isStarting ? 'cannot be started' : 'ended with an error', {
          error: message.reason,
        });
        kill(isStarting ? reasonShown(message.reason) : 'it ended with an error');
        break;
      case 'ask':
        void answer(message);
        break;
      case 'listen':
        listener.subscribed(message.type);
        break;
      case 'log':
        log(message);
        break;
      case 'pong':
        pinged = undefined;
        break;
      case 'stopped':
        stopped.resolve();
        break;
      default:
        if (message.t === 'threw' && mayLog())
          listener.log('error', 'a handler failed', { error: message.text }, 'caused');
        calls.settle(message);
    }
  }

  /** Its own side counts too, but the module can write to the line directly. */
  function log({ level, text, json }: Extract<FromWorker, { t: 'log' }>): void {
    if (mayLog()) listener.log(level, text, parsed(json), 'wrote');
  }

  /** One clean line. The location of its folder stays private (contract 1.3). */
  const reasonShown = (reason: string): string =>
    [...RUNTIME_FOLDERS, ownData, process.cwd()].reduce(
      (text, place) => text.replaceAll(place, '…'),
      shownText(reason.split('\n', 1).join(), MAX_REASON)
        .replaceAll(`file://${folder}/`, '')
        .replaceAll(`${folder}/`, ''),
    );

  function describe(json: string): void {
    try {
      must(
        json.length <= MAX_DESCRIPTION_BYTES,
        `its description is larger than ${MAX_DESCRIPTION_BYTES} bytes`,
      );
      must(!isNestedDeeper(Buffer.from(json)), 'its description is nested too deeply');
      listener.described(json);
    } catch (error) {
      kill(error instanceof BrokenModule ? error.message : 'its description cannot be read');
    }
  }

  async function answer({ n, what, json, during }: Extract<FromWorker, { t: 'ask' }>): Promise<void> {
    if (asks >= MAX_ASKS) {
      post({ t: 'refusal', n, status: 429, reasons: [`more than ${MAX_ASKS} requests at once`] });
      return;
    }
    asks++;
    // What the exchange does for its start does not count. The module asks for it only after describing itself.
    const isStep = isStarting && isDescribed && steps.delete(what);
    if (isStep) allow(undefined);
    const caller = during === undefined ? undefined : calls.callerOf(during);
    const reply = await listener.ask(what, json, caller, () => isOver);
    asks--;
    const isMoved = what === 'data.open' && reply.t === 'reply' && reply.json !== '';
    if (isStep) allow(isMoved ? limits.migrateMs : limits.startMs);
    if (!isOver) post({ ...reply, n } as ToWorker);
  }

  async function sayGoodbye(patienceMs: number): Promise<void> {
    const enough = new AbortController();
    const patience = wait(patienceMs, undefined, { signal: enough.signal, ref: false }).catch(() => {});
    await Promise.race([calls.idle(), patience]);
    isStopping = true;
    if (!isOver) post({ t: 'stop' });
    await Promise.race([stopped.promise, patience]);
    enough.abort();
  }

  try {
    await started.promise;
    return {
      pid: child.pid,
      usage: child.usage,
      /** It does more than wait for calls. */
      isAwake,
      call: (op: number, as: ResultKind, call: CallMessage, caller: Caller | undefined): Promise<Done> =>
        calls.begin({ op, as, call, caller }),
      tell: (type: string, event: unknown): void => {
        if (!isOver) post({ t: 'event', type, event });
      },
      /** Waits for calls under way, then for the module's own `stop`, within its time limit. */
      async stop(patienceMs: number): Promise<void> {
        if (!isOver) await sayGoodbye(patienceMs);
        kill('stopped');
        await child.gone();
      },
    };
  } catch (error) {
    // It may write until it is gone.
    await child.gone();
    throw error;
  } finally {
    clearTimeout(impatience);
    quit?.removeEventListener('abort', giveUp);
    isStarting = false;
  }
}

export type ModuleWorker = Awaited<ReturnType<typeof startModuleWorker>>;

const STUCK = 'it did not respond';
/** For Node itself to start on a busy machine: that is not the module's time. */
const BOOT_MS = 30_000;
/** A module that is silent for this long is computing: it gets a lower priority. */
const SLOW_MS = 2_000;
/** As much as a `BrokenModule` holds, with room for the folders that are removed from it. */
const MAX_REASON = 2_000;
/** Of a module's description, as JSON. */
const MAX_DESCRIPTION_BYTES = 256 * 1024;

function parsed(json: string): unknown {
  try {
    return json === '' ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
