import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreUnavailable } from '../../lib/errors.ts';
import { createEmbeddedTtlStore } from '../../store/ttl/embedded-ttl-store.ts';
import type { TtlStore } from '../../store/ttl/ttl-store.ts';
import { packSnapshot } from './cursor.ts';
import { type CursorMark, type CursorStore, createCursorStore, orderAt } from './cursors.store.ts';

const MINUTE_MS = 60_000;

let now: number;
let dir: string;
let ttl: TtlStore;
let cursors: CursorStore;
let refuses: boolean;
const clock = { now: () => now };

beforeEach(async () => {
  now = Date.UTC(2026, 4, 4, 8);
  refuses = false;
  dir = await mkdtemp(join(tmpdir(), 'pbxcore-test-'));
  ttl = await createEmbeddedTtlStore({ file: join(dir, 'ttl.sqlite'), clock, onError() {} });
  cursors = createCursorStore({
    ttl: {
      ...ttl,
      async writeDocument(key, document) {
        if (refuses) throw new StoreUnavailable('refused');
        return ttl.writeDocument(key, document);
      },
    },
    redisPrefix: 'test',
    clock,
  });
});
afterEach(async () => {
  await ttl.close();
  await rm(dir, { recursive: true });
});

/** A node that knows nothing but what was stored. */
const afterRestart = (): CursorStore => createCursorStore({ ttl, redisPrefix: 'test', clock });

const markNow = (): CursorMark => ({ order: orderAt(now), stateId: `state at ${now}` });

async function tellWhileTheStoreRefuses(): Promise<CursorMark> {
  const mark = markNow();
  const told = { value: '203.0.113.7', scenario: 'pbx/sip' as const, expiresAt: Infinity };
  refuses = true;
  await expect(
    cursors.move('1', mark, undefined, () => packSnapshot([told], undefined).bytes),
  ).rejects.toThrow(StoreUnavailable);
  refuses = false;
  return mark;
}

test('what was told while the store refused counts, and is kept before the end', async () => {
  const mark = await tellWhileTheStoreRefuses();
  expect(await cursors.renew('1')).toEqual(mark);
  await cursors.saveRest();
  expect(await afterRestart().renew('1')).toEqual(mark);
});

test('what is kept before the end lives no longer for it', async () => {
  const mark = await tellWhileTheStoreRefuses();
  now += 40 * MINUTE_MS;
  await cursors.saveRest();
  now += 19 * MINUTE_MS;
  expect((await afterRestart().read('1'))?.mark).toEqual(mark);
  now += 2 * MINUTE_MS;
  expect(await afterRestart().read('1')).toBeUndefined();
});

test('contract 8.4: a cursor forgotten after an hour is not brought back by the end of the service', async () => {
  await tellWhileTheStoreRefuses();
  now += 61 * MINUTE_MS;
  expect(await cursors.renew('1')).toBeUndefined();
  await cursors.saveRest();
  expect(await afterRestart().renew('1')).toBeUndefined();
});
