import { hash } from 'node:crypto';
import type { Pause } from '../../../lib/clock.ts';
import { Overloaded } from '../../../lib/errors.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import type { Fail2BanStore } from '../../firewall/fail2ban/fail2ban.store.ts';

/** Contract 17.5: the answer to this failure of an account is delayed by a second, each further one by one more. */
const FIRST_SLOW_FAILURE = 10;
const LONGEST_SECONDS = 30;
/** Each delayed answer holds a connection. The limit also bounds the total rate of guesses from all sources. */
const MOST_HELD = 100;

interface SlowDownParts {
  readonly ttl: TtlStore;
  readonly redisPrefix: string;
  readonly rules: Fail2BanStore;
  readonly pause: Pause;
}

/** Slows down guesses at one account, whatever their source. An unknown account is treated alike. */
export function createSlowDown({ ttl, redisPrefix, rules, pause }: SlowDownParts) {
  const held = new Set<AbortController>();
  let stopping = false;

  /** At most 65 536 counters, whatever names are tried; names that share a counter are slowed down together. */
  const keyOf = (login: string) => `${redisPrefix}:limit:account:${hash('sha256', login).slice(0, 4)}`;
  const windowMs = async () => (await rules.settle()).findtime * 1000;

  function refuseCrowd(seconds: number): void {
    if (seconds === 0) return;
    if (stopping) throw new Overloaded('the service is stopping');
    if (held.size >= MOST_HELD) throw new Overloaded('too many logins at once');
  }

  return {
    /** The number of the next failure of the account; throws when its answer could not be delayed. */
    async next(login: string): Promise<number> {
      const { count } = await ttl.count(keyOf(login), await windowMs());
      refuseCrowd(secondsOf(count + 1));
      return count + 1;
    },

    /** Counts a failure of the account and resolves to its number. */
    record: async (login: string): Promise<number> =>
      (await ttl.record(keyOf(login), await windowMs())).count,

    /** Delays the answer to a failure and, equally, to a success in its place, so that the time reveals nothing. */
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

    /** Releases all delayed answers; from now on none is delayed. */
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
