import { Worker } from 'node:worker_threads';
import { Overloaded } from '../../../lib/errors.ts';
import type { PasswordCost } from './passwords.ts';

/** A password to check against `hash`, or to hash when there is none. */
export interface PasswordTask {
  readonly password: string;
  readonly hash?: string;
}

export interface PasswordReply {
  readonly result?: string | boolean;
  readonly error?: string;
}

interface ThreadOptions {
  /** Cost of new hashes. */
  readonly cost: PasswordCost;
  /** Called when the thread dies by itself. */
  readonly onError: (error: unknown) => void;
  readonly startWorker?: () => Worker;
}

/**
 * The thread that hashes passwords. In Node's own thread pool logins would compete with compression and file access.
 * The thread is started for the first task, and again for the next task after it died.
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
    /** Takes one task at a time; the caller has to queue the others. */
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
