import { expect, test } from 'vitest';
import { expectNear, type HeldStore, hour, minute, watch } from './ttl-store.rig.ts';

/** What both stores guarantee while the machine's clock is set (contract 17.19). */
export function clockStepRules(held: HeldStore): void {
  const steps = [2 * hour, -2 * hour, -2 * hour, 2 * hour, 500 * hour];

  test('keys and documents expire after their lifetime, however the clock is set', async () => {
    await held.store.set('k', '1', hour);
    await held.store.set('endless', '1');
    const body = Buffer.from('body');
    await held.store.writeDocument('d', { order: 1, bodyId: 'x', body, ttlMs: hour });
    for (const step of steps) {
      held.rig.step(step);
      expectNear(await held.store.remaining('k'), hour);
      expect(await held.store.remaining('endless')).toBe(Number.POSITIVE_INFINITY);
      expect(await held.store.readDocument('d')).toEqual({ order: 1, bodyId: 'x', body });
    }
    await held.rig.advance(hour - minute);
    expectNear(await held.store.remaining('k'), minute);
    await held.rig.advance(minute);
    expect(await held.store.remaining('k')).toBeUndefined();
    expect(await held.store.readDocument('d')).toBeUndefined();
  });

  test('a mirror loses nothing and keeps every expiry time, however the clock is set', async () => {
    await held.store.set('p:1', '1', hour);
    await held.store.set('p:2', '1');
    const view = watch(held.store, 'p:');
    await view.settle();
    const end = held.rig.steady.now() + hour;
    for (const step of steps) {
      held.rig.step(step);
      await view.settle();
      expectNear(view.keys.get('p:1'), end);
      await held.store.set(`p:${step}`, '1', hour);
      await view.settle();
      expectNear(view.keys.get(`p:${step}`), end);
      expect(view.keys.get('p:2')).toBe(Number.POSITIVE_INFINITY);
    }
    expect(view.reports.filter(([, at]) => at === undefined)).toEqual([]);
  });

  test('after a restart keys keep their remaining time, even if the clock was set', async () => {
    for (const step of [2 * hour, -4 * hour]) {
      await held.store.set('before', '1', hour);
      held.rig.step(step);
      await held.store.set('after', '1', hour);
      held.store = await held.rig.reopen();
      expectNear(await held.store.remaining('before'), hour);
      expectNear(await held.store.remaining('after'), hour);
    }
    held.rig.step(2 * hour);
    await held.store.set('between', '1', hour);
    held.rig.step(-2 * hour);
    held.store = await held.rig.reopen();
    for (const key of ['before', 'between', 'after']) expectNear(await held.store.remaining(key), hour);
  });
}
