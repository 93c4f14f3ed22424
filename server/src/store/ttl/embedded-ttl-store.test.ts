import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmbeddedTtlStore } from './embedded-ttl-store.ts';
import { ttlStoreSuite } from './ttl-store.suite.ts';

ttlStoreSuite('the embedded store of expiring keys', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ttl-'));
  let now = 1_700_000_000_000;
  const clock = { now: () => now };
  const open = () => createEmbeddedTtlStore({ file: join(folder, 'ttl.sqlite'), clock, onError: () => {} });
  let store = await open();
  return {
    store,
    clock,
    advance: async (ms) => {
      now += ms;
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
});
