import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEmbeddedTtlStore } from './embedded-ttl-store.ts';
import { hour, minute, type TtlStoreRig } from './ttl-store.rig.ts';
import { ttlStoreSuite } from './ttl-store.suite.ts';

async function openRig(): Promise<TtlStoreRig> {
  const folder = await mkdtemp(join(tmpdir(), 'ttl-'));
  let now = 1_700_000_000_000;
  let stepped = 0;
  const steady = { now: () => now };
  const clock = { now: () => now + stepped };
  const file = join(folder, 'ttl.sqlite');
  const open = () => createEmbeddedTtlStore({ file, clock, steady, onError: () => {} });
  let store = await open();
  return {
    store,
    steady,
    advance: async (ms) => {
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
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

ttlStoreSuite('the embedded store of expiring keys', openRig);

test('a counted event leaves the window when its time is over, however the clock is set', async () => {
  const rig = await openRig();
  try {
    await rig.store.record('c', minute);
    for (const step of [2 * hour, -4 * hour, 2 * hour, 500 * hour]) {
      rig.step(step);
      expect(await rig.store.count('c', minute)).toEqual({ count: 1, retryAfterMs: minute });
    }
    const again = await rig.reopen();
    expect(await again.count('c', minute)).toEqual({ count: 1, retryAfterMs: minute });
    await rig.advance(minute);
    expect(await again.count('c', minute)).toEqual({ count: 0, retryAfterMs: 0 });
  } finally {
    await rig.stop();
  }
});
