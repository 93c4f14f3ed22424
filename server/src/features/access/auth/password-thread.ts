import { Worker } from 'node:worker_threads';
import { Overloaded } from '../../../lib/errors.ts';
import type { PasswordCost } from './passwords.ts';

/** A password to be held against a hash, or to be hashed where there is none. */
export interface PasswordTask {
  readonly password: string;
  readonly hash?: string;
}

export interface PasswordReply {
  readonly result?: string | boolean;
  readonly error?: string;
}

interface ThreadOptions {
  /** Of what is hashed. */
  readonly cost: PasswordCost;
  /** Told when the thread died by itself. */
  readonly onError: (error: unknown) => void;
  readonly startWorker?: () => Worker;
}

/**
 * The thread that hashes passwords. In the pool that Node has for such work a login would wait beside compression and
 * files, and they behind it. It is started at the first task, and again at the next one after it died.
 */
export function createPasswordThread({ cost, onError, startWorker = startPasswordWorker }: ThreadOptions) {
  let worker: Worker | undefined;
  let current: PromiseWithResolvers<string | boolean> | undefined;
  let closed = false;

  function start(): Worker {
    const started = startWorker();
    started.unref();
    started.on('message', ({ result, error }: PasswordReply) => {
      started.unref();
      if (result === undefined) current?.reject(new Error(error));
      else current?.resolve(result);
    });
    started.on('error', onError);
    started.on('exit', () => {
      worker = undefined;
      current?.reject(new Overloaded('passwords cannot be checked right now'));
    });
    return started;
  }

  return {
    /** One task at a time; whoever calls keeps the others waiting. */
    async run(task: PasswordTask): Promise<string | boolean> {
      if (closed) throw new Overloaded('the service is stopping');
      worker ??= start();
      current = Promise.withResolvers();
      worker.ref();
      worker.postMessage({ ...task, cost });
      return current.promise;
    },

    async close(): Promise<void> {
      closed = true;
      await worker?.terminate();
    },
  };
}

function startPasswordWorker(): Worker {
  return new Worker(new URL('./password.worker.ts', import.meta.url));
}
