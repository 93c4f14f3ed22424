import type { Config } from '../config.ts';
import { createCursorStore } from '../features/firewall/firewall-bouncer/cursors.store.ts';
import { systemClock, systemSteadyClock } from '../lib/clock.ts';
import { createRedisTtlStore } from '../store/ttl/redis-ttl-store.ts';
import { printWarning } from './command.ts';

/**
 * Forgets the cursor of a revoked key, as the service does. Only the service can use the embedded store; there the
 * cursor expires within the hour, and since ids are never reused, no other key gets it.
 */
export const forgetCursor =
  ({ redisUrl, redisPrefix }: Config) =>
  async (id: string): Promise<void> => {
    if (!redisUrl) return;
    const ttl = await createRedisTtlStore({
      url: redisUrl,
      clock: systemClock,
      steady: systemSteadyClock,
      onError: () => {},
    });
    try {
      await createCursorStore({ ttl, redisPrefix }).remove(id);
    } catch {
      printWarning('the key is revoked, but Redis does not answer: its cursor stays for up to an hour');
    } finally {
      await ttl.close();
    }
  };
