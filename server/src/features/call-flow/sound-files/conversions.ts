import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { BodyTypeRefused, ClientGone, InvalidFields, Overloaded } from '../../../lib/errors.ts';
import type { RefusalKind } from './audio/wave-file.ts';

export interface ConversionTask {
  /** Path of the file as it was sent. */
  readonly source: string;
  /** Where the results go: `<name>.wav` and so on. None of them may exist. */
  readonly folder: string;
  readonly name: string;
  readonly normalize: boolean;
}

export type ConversionReply =
  | { readonly seconds: number }
  | { readonly refused: RefusalKind; readonly reason: string };

interface ConversionRules {
  readonly atOnce?: number;
  /** Each of them already has a file of up to 50 MiB on the disk. */
  readonly mostWaiting?: number;
  /** Half an hour of sound takes up to half a minute of processor time, which others may need, too. */
  readonly limitMs?: number;
  readonly startWorker?: (task: ConversionTask) => Worker;
}

const MOST_WAITING = 8;
const LIMIT_MS = 300_000;

/** Conversions, each in a thread that ends with it or with its request; at most one per processor. */
export function createConversions({
  atOnce = availableParallelism(),
  mostWaiting = MOST_WAITING,
  limitMs = LIMIT_MS,
  startWorker = startConversion,
}: ConversionRules = {}) {
  const line: (() => void)[] = [];
  let running = 0;
  const closing = new AbortController();

  async function takeTurn(signal: AbortSignal): Promise<void> {
    if (running < atOnce) return void running++;
    if (line.length >= mostWaiting) throw new Overloaded('too many sounds are being converted');
    const turn = Promise.withResolvers<void>();
    const leave = () => {
      const place = line.indexOf(turn.resolve);
      if (place < 0) return; // it has its turn already
      line.splice(place, 1);
      turn.reject(new ClientGone('nobody waits for the sound any more'));
    };
    line.push(turn.resolve);
    signal.addEventListener('abort', leave);
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Passes the turn to the next one in the line, if there is one. */
  function endTurn(): void {
    const next = line.shift();
    if (next) next();
    else running--;
  }

  async function run(task: ConversionTask, signal: AbortSignal): Promise<ConversionReply> {
    if (signal.aborted) throw new ClientGone('nobody waits for the sound any more');
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), limitMs);
    const stop = AbortSignal.any([signal, limit.signal]);
    const worker = startWorker(task);
    const end = () => void worker.terminate();
    stop.addEventListener('abort', end);
    try {
      return await replyOf(worker);
    } catch (error) {
      if (closing.signal.aborted) throw new Overloaded('the service is stopping');
      if (signal.aborted) throw new ClientGone('nobody waits for the sound any more');
      if (limit.signal.aborted) throw new Overloaded('converting the sound takes too long');
      throw error;
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', end);
    }
  }

  return {
    /** Resolves to the length once all files exist. A file that is no sound is the sender's fault (contract 24.3). */
    async convert(task: ConversionTask, signal: AbortSignal): Promise<{ readonly seconds: number }> {
      const stop = AbortSignal.any([signal, closing.signal]);
      await takeTurn(stop);
      try {
        const reply = await run(task, stop);
        if (!('refused' in reply)) return reply;
        throw reply.refused === 'unknown'
          ? new BodyTypeRefused(reply.reason)
          : new InvalidFields(`file: ${reply.reason}`, ['file']);
      } finally {
        endTurn();
      }
    },
    close: (): void => closing.abort(),
  };
}

export type Conversions = ReturnType<typeof createConversions>;

/** Resolves once the thread is gone, so that nothing writes any more. */
function replyOf(worker: Worker): Promise<ConversionReply> {
  return new Promise((resolve, reject) => {
    let reply: ConversionReply | undefined;
    let failure: unknown = new Error('the thread that converts sounds ended by itself');
    worker.on('message', (message: ConversionReply) => {
      reply = message;
    });
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => (reply ? resolve(reply) : reject(failure)));
  });
}

const startConversion = (workerData: ConversionTask): Worker =>
  new Worker(new URL('./conversion.worker.ts', import.meta.url), { workerData });
