import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe } from 'vitest';
import { findRedis, type RealRedis, startRedis } from '../../../test/real/redis.ts';
import { realPart } from '../../../test/real/require-real.ts';
import { createRedisTtlStore } from './redis-ttl-store.ts';
import { ttlStoreSuite } from './ttl-store.suite.ts';

/** Simulates the passing of time for all keys at once, as the clock of Redis cannot be controlled. */
const advanceScript = `
for _, key in ipairs(redis.call('KEYS', '*')) do
  local left = redis.call('PTTL', key)
  if left >= 0 then redis.call('PEXPIRE', key, math.max(0, left - tonumber(ARGV[1]))) end
end`;

describe.skipIf(!realPart('Redis', findRedis()))('with a real Redis', () => {
  let redis: RealRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  ttlStoreSuite('the Redis store of expiring keys', async () => {
    await redis.flush();
    let now = 1_700_000_000_000;
    let stepped = 0;
    const steady = { now: () => now };
    const clock = { now: () => now + stepped };
    const open = () => createRedisTtlStore({ url: redis.url, clock, steady, onError: () => {} });
    const other = createClient({ url: redis.url });
    await other.connect();
    let store = await open();
    return {
      store,
      steady,
      async advance(ms) {
        await other.sendCommand(['EVAL', advanceScript, '0', String(ms)]);
        now += ms;
      },
      step(ms) {
        stepped += ms;
      },
      async reopen() {
        await store.close();
        store = await open();
        return store;
      },
      async stop() {
        other.destroy();
        await store.close();
      },
    };
  });
});
