import { expect, test } from 'vitest';
import { expectNear, type HeldStore, hostileTexts, hour, minute, watch } from './ttl-store.rig.ts';

/** What both stores guarantee for mirrors. */
export function mirrorRules(held: HeldStore): void {
  test('a mirror first reports every key of its prefix', async () => {
    await held.store.set('p:1', '1', hour);
    await held.store.set('p:2', '1');
    await held.store.set('q:1', '1', hour);
    const view = watch(held.store, 'p:');
    await view.settle();
    expect([...view.keys.keys()].sort()).toEqual(['p:1', 'p:2']);
    expectNear(view.keys.get('p:1'), held.rig.steady.now() + hour);
    expect(view.keys.get('p:2')).toBe(Number.POSITIVE_INFINITY);
  });

  test('a settled mirror contains every write that finished before', async () => {
    const view = watch(held.store, 'p:');
    await view.settle();
    expect(view.keys.size).toBe(0);
    for (let i = 0; i < 20; i++) {
      await held.store.set(`p:${i}`, '1', hour);
      await view.settle();
      expect(view.keys.has(`p:${i}`)).toBe(true);
    }
    await held.store.delete(['p:3', 'p:4']);
    await held.store.set('p:5', '1');
    await view.settle();
    expect(view.keys.has('p:3')).toBe(false);
    expect(view.keys.size).toBe(18);
    expect(view.keys.get('p:5')).toBe(Number.POSITIVE_INFINITY);
  });

  test('each of many concurrent callers sees what was written before its call', async () => {
    const view = watch(held.store, 'p:');
    const seen = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        await held.store.set(`p:${i}`, '1', hour);
        await view.settle();
        return view.keys.has(`p:${i}`);
      }),
    );
    expect(seen.every(Boolean)).toBe(true);
  });

  test('a changed lifetime is reported', async () => {
    await held.store.set('p:1', '1', hour);
    const view = watch(held.store, 'p:');
    await view.settle();
    await held.store.set('p:1', '1', 3 * hour);
    await view.settle();
    expectNear(view.keys.get('p:1'), held.rig.steady.now() + 3 * hour);
  });

  test('an expired key may still be in the view, but can be written again like any other', async () => {
    const view = watch(held.store, 'p:');
    await held.store.set('p:1', '1', minute);
    await view.settle();
    await held.rig.advance(minute);
    await view.settle();
    expect(view.keys.get('p:1') ?? 0).toBeLessThanOrEqual(held.rig.steady.now());
    await held.store.set('p:1', '1', hour);
    await view.settle();
    expectNear(view.keys.get('p:1'), held.rig.steady.now() + hour);
  });

  test('a prefix is plain text, not a pattern', async () => {
    await held.store.set('p*:1', '1', hour);
    await held.store.set('pp:1', '1', hour);
    await held.store.set('[p]\\?:1', '1', hour);
    const star = watch(held.store, 'p*:');
    const odd = watch(held.store, '[p]\\?:');
    await Promise.all([star.settle(), odd.settle()]);
    expect([...star.keys.keys()]).toEqual(['p*:1']);
    expect([...odd.keys.keys()]).toEqual(['[p]\\?:1']);
  });

  test('any text works as a key of a mirror', async () => {
    const before = hostileTexts.map((text) => `p:before:${text}`);
    const after = hostileTexts.map((text) => `p:after:${text}`);
    for (const key of before) await held.store.set(key, '1', hour);
    const view = watch(held.store, 'p:');
    await view.settle();
    for (const key of after) await held.store.set(key, '1', hour);
    await view.settle();
    expect(new Set(view.keys.keys())).toEqual(new Set([...before, ...after]));
    await held.store.delete([...before, ...after]);
    await view.settle();
    expect(view.keys.size).toBe(0);
  });

  test('a listener that throws does no harm', async () => {
    const mirror = held.store.mirror('p:');
    mirror.listen(() => {
      throw new Error('on purpose');
    });
    await held.store.set('p:1', '1', hour);
    await mirror.settle();
    expectNear(await held.store.remaining('p:1'), hour);
  });

  test('ten thousand pending writes neither delay a mirror nor hide existing keys', async () => {
    const view = watch(held.store, 'p:');
    await view.settle();
    await held.store.set('p:before', '1', hour);
    const keys = Array.from({ length: 10_000 }, (_, i) => `p:${i}`);
    const stream = Promise.all(keys.map((key) => held.store.set(key, '1', hour)));
    await view.settle();
    expect(view.keys.has('p:before')).toBe(true);
    await stream;
    await view.settle();
    expect(view.keys.size).toBe(10_001);
  });
}
