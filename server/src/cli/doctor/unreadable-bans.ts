import type { Config } from '../../config.ts';
import { createBanStore } from '../../features/firewall/bans/bans.store.ts';
import { systemClock, systemSteadyClock } from '../../lib/clock.ts';
import { createRedisTtlStore } from '../../store/ttl/redis-ttl-store.ts';

/** Keys in Redis that look like bans but contain no address; read beside the service. */
export async function unreadableBans({ redisUrl, banKeyPrefix }: Config): Promise<string[]> {
  if (!redisUrl) return [];
  const ttl = await createRedisTtlStore({
    url: redisUrl,
    clock: systemClock,
    steady: systemSteadyClock,
    onError: () => {},
  });
  try {
    const bans = createBanStore({ ttl, keyPrefix: banKeyPrefix });
    await bans.settle();
    return bans.unreadableKeys();
  } finally {
    await ttl.close();
  }
}
