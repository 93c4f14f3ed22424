import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../lib/errors.ts';
import { clockStepRules } from './ttl-clock-steps.suite.ts';
import { documentRules } from './ttl-documents.suite.ts';
import { mirrorRules } from './ttl-mirror.suite.ts';
import {
  expectNear,
  type HeldStore,
  hostileTexts,
  hour,
  minute,
  slackMs,
  type TtlStoreRig,
  watch,
} from './ttl-store.rig.ts';

/** Run for both stores, so that code built on one also works on the other. */
export function ttlStoreSuite(name: string, open: () => Promise<TtlStoreRig>): void {
  describe(name, () => {
    const held = {} as HeldStore;
    beforeEach(async () => {
      const rig = await open();
      Object.assign(held, { rig, store: rig.store });
    });
    afterEach(() => held.rig.stop());

    plainKeyRules(held);
    counterRules(held);
    documentRules(held);
    mirrorRules(held);
    clockStepRules(held);
    endRules(held);
  });
}

function plainKeyRules(held: HeldStore): void {
  test('a key exists for its lifetime and is missing afterwards', async () => {
    await held.store.set('k', '1', 2 * minute);
    expectNear(await held.store.remaining('k'), 2 * minute);
    await held.rig.advance(minute);
    expectNear(await held.store.remaining('k'), minute);
    await held.rig.advance(minute);
    expect(await held.store.remaining('k')).toBeUndefined();
  });

  test('a key without a lifetime has no end', async () => {
    await held.store.set('k', '1');
    await held.rig.advance(1000 * hour);
    expect(await held.store.remaining('k')).toBe(Number.POSITIVE_INFINITY);
  });

  test('a key that was never written is missing', async () => {
    expect(await held.store.remaining('nothing')).toBeUndefined();
  });

  test('writing again replaces the lifetime', async () => {
    await held.store.set('k', '1', hour);
    await held.store.set('k', '2', minute);
    expectNear(await held.store.remaining('k'), minute);
    await held.store.set('k', '3');
    expect(await held.store.remaining('k')).toBe(Number.POSITIVE_INFINITY);
  });

  test('a lifetime may be a fraction or very long, but must be a number', async () => {
    await held.store.set('k', '1', minute + 0.5);
    expectNear(await held.store.remaining('k'), minute + 1);
    await held.store.set('k', '1', Number.MAX_VALUE);
    expect(await held.store.remaining('k')).toBeGreaterThan(10_000 * hour);
    await expect(held.store.set('k', '1', Number.NaN)).rejects.toThrow(RangeError);
  });

  test('deleting returns the keys that existed', async () => {
    await held.store.set('a', '1', minute);
    await held.store.set('b', '1');
    await held.store.set('late', '1', minute);
    await held.rig.advance(minute - slackMs);
    await held.store.set('late', '1', 1000 * hour);
    await held.store.set('c', '1', slackMs);
    await held.rig.advance(2 * slackMs);
    expect(await held.store.delete(['a', 'b', 'c', 'late', 'never', 'b'])).toEqual(['b', 'late']);
    expect(await held.store.remaining('b')).toBeUndefined();
    expect(await held.store.delete([])).toEqual([]);
  });

  test('thousands of keys can be deleted at once', async () => {
    const keys = Array.from({ length: 5000 }, (_, i) => `many:${i}`);
    await Promise.all(keys.map((key) => held.store.set(key, '1', hour)));
    expect(await held.store.delete(['other', ...keys])).toEqual(keys);
  });

  test('any text works as a key and as a value', async () => {
    for (const text of hostileTexts) await held.store.set(`h:${text}`, text, hour);
    for (const text of hostileTexts) expectNear(await held.store.remaining(`h:${text}`), hour);
    held.store = await held.rig.reopen();
    for (const text of hostileTexts) expectNear(await held.store.remaining(`h:${text}`), hour);
    const keys = hostileTexts.map((text) => `h:${text}`);
    expect(await held.store.delete(keys)).toEqual(keys);
  });
}

function counterRules(held: HeldStore): void {
  test('recording returns the number of events within the window, this one included', async () => {
    expect(await held.store.record('c', minute)).toEqual({ count: 1, retryAfterMs: minute });
    await held.rig.advance(20_000);
    expect(await held.store.record('c', minute)).toEqual({ count: 2, retryAfterMs: 40_000 });
    await held.rig.advance(20_000);
    expect(await held.store.record('c', minute)).toEqual({ count: 3, retryAfterMs: 20_000 });
  });

  test('an event leaves the window when its time is over', async () => {
    await held.store.record('c', minute);
    await held.rig.advance(20_000);
    await held.store.record('c', minute);
    await held.rig.advance(40_000);
    expect(await held.store.count('c', minute)).toEqual({ count: 1, retryAfterMs: 20_000 });
    await held.rig.advance(20_000);
    expect(await held.store.count('c', minute)).toEqual({ count: 0, retryAfterMs: 0 });
  });

  test('counting does not record an event', async () => {
    expect(await held.store.count('c', minute)).toEqual({ count: 0, retryAfterMs: 0 });
    await held.store.record('c', minute);
    for (let i = 0; i < 3; i++) expect((await held.store.count('c', minute)).count).toBe(1);
    expect((await held.store.record('c', minute)).count).toBe(2);
  });

  test('events at the same instant are all counted', async () => {
    const counts = await Promise.all(Array.from({ length: 50 }, () => held.store.record('c', minute)));
    expect(Math.max(...counts.map(({ count }) => count))).toBe(50);
  });

  test('no more than a thousand events are kept per key', async () => {
    await Promise.all(Array.from({ length: 1200 }, () => held.store.record('c', minute)));
    expect((await held.store.count('c', minute)).count).toBe(1000);
  });

  test('a counter is a key: it has an end and can be deleted', async () => {
    await held.store.record('c', minute);
    expectNear(await held.store.remaining('c'), minute);
    expect(await held.store.delete(['c', 'never'])).toEqual(['c']);
    expect((await held.store.count('c', minute)).count).toBe(0);
    await held.store.record('c', minute);
    await held.rig.advance(2 * minute);
    expect(await held.store.remaining('c')).toBeUndefined();
    expect(await held.store.delete(['c'])).toEqual([]);
  });
}

function endRules(held: HeldStore): void {
  test('keys and documents survive a restart with their remaining time', async () => {
    const body = Buffer.from('body');
    await held.store.set('a', '1', 2 * hour);
    await held.store.set('b', '1');
    await held.store.set('gone', '1');
    await held.store.set('short', '1', hour);
    await held.store.writeDocument('d', { order: 7, bodyId: 'x', body, ttlMs: 2 * hour });
    await held.store.delete(['gone']);
    held.store = await held.rig.reopen();
    await held.rig.advance(hour);
    expectNear(await held.store.remaining('a'), hour);
    expect(await held.store.remaining('b')).toBe(Number.POSITIVE_INFINITY);
    expect(await held.store.remaining('gone')).toBeUndefined();
    expect(await held.store.remaining('short')).toBeUndefined();
    expect(await held.store.readDocument('d')).toEqual({ order: 7, bodyId: 'x', body });
    expectNear(await held.store.remaining('d'), hour);
    expect(await held.store.writeDocument('d', { order: 8, bodyId: 'x', ttlMs: hour })).toBe('written');
    const view = watch(held.store, '');
    await view.settle();
    expect(
      [...view.keys.keys()].filter((key) => (view.keys.get(key) ?? 0) > held.rig.steady.now()).sort(),
    ).toEqual(['a', 'b', 'd']);
  });

  test('counted events survive a restart', async () => {
    await held.store.record('c', minute);
    await held.rig.advance(20_000);
    await held.store.record('c', minute);
    await held.store.record('gone', minute);
    await held.store.delete(['gone']);
    held.store = await held.rig.reopen();
    expect(await held.store.count('c', minute)).toEqual({ count: 2, retryAfterMs: 40_000 });
    expect(await held.store.count('gone', minute)).toEqual({ count: 0, retryAfterMs: 0 });
    await held.rig.advance(40_000);
    expect(await held.store.record('c', minute)).toEqual({ count: 2, retryAfterMs: 20_000 });
  });

  test('a store that answers resolves a ping', async () => {
    await held.store.ping();
  });

  test('a closed store rejects everything', async () => {
    const mirror = held.store.mirror('p:');
    mirror.listen(() => {});
    await mirror.settle();
    await held.store.close();
    await held.store.close();
    const calls = [
      held.store.set('k', '1'),
      held.store.remaining('k'),
      held.store.delete(['k']),
      held.store.record('k', minute),
      held.store.count('k', minute),
      held.store.readMark('k', minute),
      held.store.readDocument('k'),
      held.store.writeDocument('k', { order: 1, bodyId: 'x', ttlMs: 1 }),
      held.store.ping(),
      mirror.settle(),
    ];
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
    }
  });
}
