import { Overloaded } from '../../../lib/errors.ts';
import type { PasswordTask } from './password-thread.ts';

/** `known`: the caller has a session, or the account logged in from the same place before. */
type Lane = 'known' | 'stranger';

/** In each lane; about 40 ms a piece, so that nobody waits long for an answer that is not sure to come. */
const MOST_WAITING = 32;

interface Job {
  readonly task: PasswordTask;
  readonly done: PromiseWithResolvers<string | boolean>;
}

/**
 * The queue before the thread that hashes. Strangers never keep those waiting who are known: each kind has room of its
 * own, and the known ones are served first. What finds no room is told so at once (contract 17.5).
 */
export function createHashing({ run }: { run: (task: PasswordTask) => Promise<string | boolean> }) {
  const waiting: Record<Lane, Job[]> = { known: [], stranger: [] };
  let working = false;

  async function enter(lane: Lane, task: PasswordTask, signal?: AbortSignal): Promise<string | boolean> {
    const line = waiting[lane];
    signal?.throwIfAborted();
    if (line.length >= MOST_WAITING) throw new Overloaded('too many logins at once');
    const job: Job = { task, done: Promise.withResolvers() };
    const leave = () => {
      const place = line.indexOf(job);
      if (place < 0) return; // under way: it cannot be stopped
      line.splice(place, 1);
      job.done.reject(signal?.reason);
    };
    line.push(job);
    signal?.addEventListener('abort', leave);
    if (!working) void work();
    try {
      return await job.done.promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  async function work(): Promise<void> {
    working = true;
    for (let job = next(); job; job = next()) await run(job.task).then(job.done.resolve, job.done.reject);
    working = false;
  }

  const next = (): Job | undefined => waiting.known.shift() ?? waiting.stranger.shift();

  return {
    /** Whether `password` gave `hash`. */
    check: async (lane: Lane, password: string, hash: string, signal?: AbortSignal): Promise<boolean> =>
      (await enter(lane, { password, hash }, signal)) === true,
    /** A new hash, for one who is known. */
    make: async (password: string): Promise<string> => String(await enter('known', { password })),
  };
}

export type Hashing = ReturnType<typeof createHashing>;
