import type { RedisLink } from '../ttl/redis-link.ts';

/**
 * Reports the first failure of each outage. Does not report a connection that is down: the store of expiring keys, on
 * the same server, already does.
 */
export function createFirstRefusal(link: Pick<RedisLink, 'up'>, onError: (error: unknown) => void) {
  let isTold = false;
  return {
    failed(error: unknown): void {
      if (isTold || !link.up) return;
      isTold = true;
      onError(error);
    },
    succeeded(): void {
      isTold = false;
    },
  };
}
