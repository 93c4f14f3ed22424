import { Overloaded } from '../../../lib/errors.ts';
import type { PasswordTask } from './password-thread.ts';

/** `known`: the caller has a session, or the account logged in from the same place before. */
type Lane = 'known' | 'stranger';

/** Per lane. A job takes about 40 ms, so nobody waits long for an uncertain answer. */
const MOST_WAITING = 32;

interface Job {
  readonly task: PasswordTask;
  readonly done: PromiseWithResolvers<string | boolean>;
}

/**
 * The queue in front of the hashing thread. Strangers never delay known callers: each lane has its own limit, and the
 * known lane is served first. A job that finds its lane full is refused at once (contract 17.5).
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
      if (place < 0) return; // already running: it cannot be stopped
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
    /** Whether `password` matches `hash`. */
    check: async (lane: Lane, password: string, hash: string, signal?: AbortSignal): Promise<boolean> =>
      (await enter(lane, { password, hash }, signal)) === true,
    /** A new hash, for a known caller. */
    make: async (password: string): Promise<string> => String(await enter('known', { password })),
  };
}

export type Hashing = ReturnType<typeof createHashing>;
