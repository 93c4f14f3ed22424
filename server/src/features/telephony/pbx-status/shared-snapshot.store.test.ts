import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EngineSnapshot } from '../../../engine/engine-view.ts';
import { createEmbeddedTtlStore } from '../../../store/ttl/embedded-ttl-store.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import { createSharedSnapshotStore } from './shared-snapshot.store.ts';

const NOON = Date.UTC(2026, 4, 4, 10);
const HOUR = 3_600_000;

describe('the snapshot that the engine node shares with the others', () => {
  let folder: string;
  let ttl: TtlStore;
  /** Clock of the store; that of each node may differ. */
  let now: number;
  const node = (aheadMs = 0) =>
    createSharedSnapshotStore({ ttl, redisPrefix: 'test', clock: { now: () => now + aheadMs } });
  const snapshot = (fields: Partial<EngineSnapshot> = {}): EngineSnapshot => ({
    extensions: new Map([['201', { number: '201', devices: [] }]]),
    providers: new Map(),
    legs: new Map(),
    queues: new Map(),
    failedLogins: new Map([['201', [{ address: '192.0.2.7', since: NOON }]]]),
    asOf: now,
    awaySince: undefined,
    ...fields,
  });

  beforeEach(async () => {
    now = NOON;
    folder = await mkdtemp(join(tmpdir(), 'pbxcore-test-'));
    ttl = await createEmbeddedTtlStore({
      file: join(folder, 'ttl'),
      clock: { now: () => now },
      steady: { now: () => now },
      onError() {},
    });
  });
  afterEach(async () => {
    await ttl.close();
    await rm(folder, { recursive: true });
  });

  test('nothing written means that no node has an engine', async () =>
    expect(await node().read()).toBeUndefined());

  test('a snapshot is read back as written, and only once while it stays the same', async () => {
    await node().write(snapshot());
    const reader = node();
    const first = await reader.read();
    expect(first).toEqual({ ...snapshot(), isHeard: true });
    expect(await reader.read()).toBe(first);
  });

  test('a beat keeps the snapshot alive; without one the engine counts as away since the last beat', async () => {
    const writer = node();
    const reader = node();
    const id = await writer.write(snapshot());
    now += 14_000;
    expect(await writer.beat(id)).toBe(true);
    now += 15_000;
    expect((await reader.read())?.awaySince).toBeUndefined();
    now += 1;
    expect((await reader.read())?.awaySince).toBe(now - 15_001);
  });

  test('a silent node is distinguished from an absent engine, and can find out that it counts as silent', async () => {
    const writer = node();
    const id = await writer.write(snapshot({ awaySince: now }));
    expect(await node().read()).toMatchObject({ awaySince: now, isHeard: true });
    now += 15_001;
    expect(await node().read()).toMatchObject({ awaySince: now - 15_001, isHeard: false });
    expect(await writer.isUnheard()).toBe(true);
    await writer.beat(id);
    expect(await writer.isUnheard()).toBe(false);
    expect(await node().read()).toMatchObject({ awaySince: now - 15_001, isHeard: true });
  });

  test('an engine without a report for a day is forgotten', async () => {
    await node().write(snapshot());
    now += 24 * HOUR + 1;
    expect(await node().read()).toBeUndefined();
  });

  test('a reader whose clock differs by an hour still gets the right times', async () => {
    const writer = node();
    await writer.write(snapshot());
    for (const ahead of [HOUR, -HOUR]) expect((await node(ahead).read())?.awaySince).toBeUndefined();
    await writer.write(snapshot({ awaySince: now - 30_000 }));
    for (const ahead of [HOUR, -HOUR])
      expect((await node(ahead).read())?.awaySince).toBe(now + ahead - 30_000);
  });

  test('the snapshot of a node whose clock is behind that of its predecessor is accepted', async () => {
    const before = node(HOUR);
    const id = await before.write(snapshot());
    const after = node();
    const moved = snapshot({ extensions: new Map() });
    await after.write(moved);
    expect((await node().read())?.extensions.size).toBe(0);
    expect(await before.beat(id), 'what the predecessor wrote is gone').toBe(false);
  });
});
