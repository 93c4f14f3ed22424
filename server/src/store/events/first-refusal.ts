import type { RedisLink } from '../ttl/redis-link.ts';

/**
 * Tells of the first failure of each outage. Of a connection that is down nothing is said: the store of expiring keys,
 * which lies on the same server, tells that.
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
