import { hash } from 'node:crypto';
import type { Pause } from '../../../lib/clock.ts';
import { Overloaded } from '../../../lib/errors.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import type { Fail2BanStore } from '../../firewall/fail2ban/fail2ban.store.ts';

/** Contract 17.5: the answer to this failure of an account waits a second, each further one a second longer. */
const FIRST_SLOW_FAILURE = 10;
const LONGEST_SECONDS = 30;
/** Each costs a connection. It also bounds how fast an account can be guessed at from everywhere together. */
const MOST_HELD = 100;

interface SlowDownParts {
  readonly ttl: TtlStore;
  readonly redisPrefix: string;
  readonly rules: Fail2BanStore;
  readonly pause: Pause;
}

/** Slows guesses at one account down, wherever they come from. An account that does not exist is treated alike. */
export function createSlowDown({ ttl, redisPrefix, rules, pause }: SlowDownParts) {
  const held = new Set<AbortController>();
  let stopping = false;

  /** 65 536 counters at most, whatever names are tried; two names that share one are slowed down together. */
  const keyOf = (login: string) => `${redisPrefix}:limit:account:${hash('sha256', login).slice(0, 4)}`;
  const windowMs = async () => (await rules.settle()).findtime * 1000;

  function refuseCrowd(seconds: number): void {
    if (seconds === 0) return;
    if (stopping) throw new Overloaded('the service is stopping');
    if (held.size >= MOST_HELD) throw new Overloaded('too many logins at once');
  }

  return {
    /** The number that the next failure of the account would have; refuses when its answer could not be held back. */
    async next(login: string): Promise<number> {
      const { count } = await ttl.count(keyOf(login), await windowMs());
      refuseCrowd(secondsOf(count + 1));
      return count + 1;
    },

    /** Counts a failure of the account and resolves to its number. */
    record: async (login: string): Promise<number> =>
      (await ttl.record(keyOf(login), await windowMs())).count,

    /** Holds the answer to that failure back, or to a login that came instead of it: nobody can tell by the time. */
    async hold(failure: number, signal: AbortSignal): Promise<void> {
      const seconds = secondsOf(failure);
      refuseCrowd(seconds);
      if (seconds === 0) return;
      signal.throwIfAborted();
      const end = new AbortController();
      const leave = () => end.abort();
      held.add(end);
      signal.addEventListener('abort', leave);
      try {
        await pause(seconds * 1000, end.signal);
      } catch {
        throw stopping ? new Overloaded('the service is stopping') : signal.reason;
      } finally {
        signal.removeEventListener('abort', leave);
        held.delete(end);
      }
    },

    /** Ends what is held back; nothing is held back any more. */
    stop(): void {
      stopping = true;
      for (const end of held) end.abort();
    },
  };
}

export type SlowDown = ReturnType<typeof createSlowDown>;

function secondsOf(failure: number): number {
  return Math.min(Math.max(0, failure - FIRST_SLOW_FAILURE + 1), LONGEST_SECONDS);
}
