import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Caller } from '../http/caller.ts';
import { ModuleAway, ModuleFailed } from '../lib/errors.ts';
import { isNestedDeeper, MAX_JSON_DEPTH } from '../lib/json-depth.ts';
import { createBatch } from './batch.ts';
import { BrokenModule, must } from './broken-module.ts';
import type { ModuleLimits } from './limits.ts';
import { MAX_DESCRIPTION_BYTES } from './limits.ts';
import type { FoundModule } from './module-folder.ts';
import { createModuleThread } from './module-thread.ts';
import { createPendingCalls } from './pending-calls.ts';
import type { CallMessage, Done, FromWorker, ResultKind, ToWorker, WorkerSetup } from './protocol.ts';
import { RUNTIME_FOLDERS } from './worker-source.ts';

/** Hears what the worker says besides answers to calls. */
export interface WorkerListener {
  /** Answers a question of the module; `caller` of the call it was asked during, `undefined` outside of any. */
  ask(what: string, args: unknown[], during: { caller: Caller | undefined } | undefined): Promise<unknown>;
  /** It wants to be told of events of this type. */
  subscribed(type: string): void;
  /** What it says about itself, as JSON that nobody has checked; throwing ends it. Its own `start` follows. */
  described(json: string): void;
  log(level: 'debug' | 'info' | 'warn' | 'error', text: string, details?: unknown): void;
  /** Once, when it ended although nobody asked it to. */
  crashed(reason: string): void;
}

export interface WorkerOptions {
  readonly found: FoundModule;
  readonly dataDir: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly pbx: WorkerSetup['pbx'];
  readonly limits: ModuleLimits;
  readonly listener: WorkerListener;
  /** Gives up a start that is under way. One that is over is ended by `stop`. */
  readonly quit?: AbortSignal;
}

/** Starts a module in a thread of its own and resolves once it described itself. Rejects with `BrokenModule`. */
export async function startModuleWorker({
  found,
  dataDir,
  settings,
  pbx,
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
    dataDir: ownData,
    settings: JSON.stringify(settings),
    reads: manifest.reads,
    pbx,
  };
  // The start may have been given up during the awaits above.
  quit?.throwIfAborted();
  const { worker, port } = createModuleThread({ setup, memoryMb: limits.memoryMb, log: listener.log });
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));

  const post = createBatch<ToWorker>((messages) => port.postMessage(messages));
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const calls = createPendingCalls({ limits, id: manifest.id, post });
  let isStarting = true;
  let isStopping = false;
  let isOver = false;
  let pinged: number | undefined;

  function over(reason: string): void {
    if (isOver) return;
    isOver = true;
    clearInterval(watch);
    stopped.resolve();
    port.close();
    calls.end(isStopping ? new ModuleAway(`module ${manifest.id} was stopped`) : failure(reason));
    if (isStarting) started.reject(new BrokenModule(reason));
    else if (!isStopping) listener.crashed(reason);
  }

  const failure = (reason: string) =>
    reason === STUCK
      ? new ModuleAway(`module ${manifest.id} does not respond`)
      : new ModuleFailed(`module ${manifest.id} failed`);

  worker.on('error', (error: NodeJS.ErrnoException) => {
    listener.log('error', 'ended by an error', { error: String(error?.stack ?? error).slice(0, 2000) });
    over(
      error?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it took more memory than it may' : 'it ended by an error',
    );
  });
  worker.on('exit', () => over('it ended by itself'));
  const impatience = setTimeout(() => kill('it did not start in time'), limits.startMs);
  const giveUp = () => kill('it was not wanted any more');
  quit?.addEventListener('abort', giveUp);

  // A worker that is in an endless loop cannot answer.
  const watch = setInterval(
    () => {
      if (isStarting) return;
      if (pinged !== undefined && performance.now() - pinged > limits.stuckMs) kill(STUCK);
      else if (pinged === undefined) {
        pinged = performance.now();
        post({ t: 'ping' });
      }
    },
    Math.max(50, limits.stuckMs / 4),
  );
  watch.unref();

  function kill(reason: string): void {
    over(reason);
    void worker.terminate();
  }

  port.on('message', (messages: readonly FromWorker[]) => {
    if (Array.isArray(messages)) for (const message of messages) take(message);
  });

  function take(message: FromWorker): void {
    if (isOver || typeof message !== 'object' || message === null) return;
    switch (message.t) {
      case 'described':
        describe(message.json);
        break;
      case 'started':
        started.resolve();
        break;
      case 'failed':
        listener.log('error', 'cannot be started', { error: message.reason });
        kill(reasonShown(message.reason));
        break;
      case 'ask':
        void answer(message);
        break;
      case 'listen':
        listener.subscribed(String(message.type));
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
        if (message.t === 'threw') listener.log('error', 'a handler failed', { error: message.text });
        calls.settle(message);
    }
  }

  function log({ level, text, json }: Extract<FromWorker, { t: 'log' }>): void {
    if (LEVELS.includes(level)) listener.log(level, String(text), parsed(String(json)));
  }

  /** Where its folder lies is nobody's business (contract 1.3). */
  const reasonShown = (reason: unknown): string =>
    [...RUNTIME_FOLDERS, ownData, process.cwd()].reduce(
      (text, place) => text.replaceAll(place, '…'),
      firstLine(String(reason)).replaceAll(`file://${folder}/`, '').replaceAll(`${folder}/`, ''),
    );

  function describe(json: unknown): void {
    try {
      must(
        typeof json === 'string' && json.length <= MAX_DESCRIPTION_BYTES,
        `what it says about itself is larger than ${MAX_DESCRIPTION_BYTES} bytes`,
      );
      must(!isNestedDeeper(Buffer.from(json)), 'what it says about itself is nested too deeply');
      listener.described(json);
    } catch (error) {
      kill(error instanceof BrokenModule ? error.message : 'what it says about itself cannot be read');
    }
  }

  async function answer({ n, what, json, during }: Extract<FromWorker, { t: 'ask' }>): Promise<void> {
    const reply = await questionAnswer(
      listener,
      what,
      json,
      during === undefined ? undefined : calls.callerOf(during),
    );
    if (!isOver) post({ ...reply, n } as ToWorker);
  }

  async function sayGoodbye(): Promise<void> {
    const enough = new AbortController();
    const patience = wait(limits.stopMs, undefined, { signal: enough.signal, ref: false }).catch(() => {});
    await Promise.race([calls.idle(), patience]);
    isStopping = true;
    if (!isOver) post({ t: 'stop' });
    await Promise.race([stopped.promise, patience]);
    enough.abort();
  }

  try {
    await started.promise;
    return {
      call: (op: number, as: ResultKind, call: CallMessage, caller: Caller | undefined): Promise<Done> =>
        calls.begin({ op, as, call, caller }),
      tell: (type: string, event: unknown): void => {
        if (!isOver) post({ t: 'event', type, event });
      },
      /** Lets calls under way end, then the module's own `stop`, as long as that takes no longer than it may. */
      async stop(): Promise<void> {
        if (!isOver) await sayGoodbye();
        over('stopped');
        void worker.terminate();
        await gone;
      },
    };
  } catch (error) {
    // It may write until it is gone.
    await gone;
    throw error;
  } finally {
    clearTimeout(impatience);
    quit?.removeEventListener('abort', giveUp);
    isStarting = false;
  }
}

export type ModuleWorker = Awaited<ReturnType<typeof startModuleWorker>>;

const STUCK = 'it did not respond';
const LEVELS = ['debug', 'info', 'warn', 'error'];
/** What a request may hold, inside the arguments, the list and the change that `records.save` wraps around it. */
const MAX_ASKED_DEPTH = MAX_JSON_DEPTH + 3;

async function questionAnswer(
  listener: WorkerListener,
  what: string,
  json: string,
  during: { caller: Caller | undefined } | undefined,
): Promise<{ t: 'reply'; json: string } | { t: 'refusal'; status: number; reasons: readonly string[] }> {
  if (isNestedDeeper(Buffer.from(json), MAX_ASKED_DEPTH))
    return { t: 'refusal', status: 400, reasons: [`nested deeper than ${MAX_JSON_DEPTH}`] };
  try {
    const value = await listener.ask(what, parsed(json) as unknown[], during);
    return { t: 'reply', json: value === undefined ? '' : JSON.stringify(value) };
  } catch (error) {
    const { status, reasons } = error as { status?: number; reasons?: readonly string[] };
    return { t: 'refusal', status: status ?? 503, reasons: reasons ?? ['the exchange cannot answer now'] };
  }
}

function parsed(json: string): unknown {
  try {
    return json === '' ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}

const firstLine = (text: string): string => String(text).split('\n')[0] ?? '';
