import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findRedis, type RealRedis, startRedis } from '../../../test/real/redis.ts';
import { realPart } from '../../../test/real/require-real.ts';
import { systemClock, systemSteadyClock } from '../../lib/clock.ts';
import { createRedisTtlStore } from './redis-ttl-store.ts';
import { expectNear, watch } from './ttl-store.rig.ts';
import type { TtlStore } from './ttl-store.ts';

const hour = 3_600_000;
const clocks = { clock: systemClock, steady: systemSteadyClock };

describe.skipIf(!realPart('Redis', findRedis()))('a Redis that others write to', { timeout: 20_000 }, () => {
  let redis: RealRedis;
  let store: TtlStore;
  let other: ReturnType<typeof createClient>;

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.flush();
    store = await createRedisTtlStore({ url: redis.url, ...clocks, onError: () => {} });
    other = createClient({ url: redis.url });
    await other.connect();
  });
  afterEach(async () => {
    other.destroy();
    await store.close();
  });

  const redisSays = (...args: (string | Buffer)[]) => other.sendCommand(args);

  test('a mirror sees what others write, change and remove, whatever the type of the key', async () => {
    const view = watch(store, 'p:');
    await view.settle();
    await redisSays('RPUSH', 'p:list', 'x');
    await redisSays('SET', 'p:1', '1', 'EX', '60');
    await view.settle();
    expect([...view.keys.keys()].sort()).toEqual(['p:1', 'p:list']);
    await redisSays('PERSIST', 'p:1');
    await redisSays('RENAME', 'p:list', 'p:renamed');
    await view.settle();
    expect(view.keys).toEqual(
      new Map([
        ['p:1', Number.POSITIVE_INFINITY],
        ['p:renamed', Number.POSITIVE_INFINITY],
      ]),
    );
    await redisSays('DEL', 'p:1', 'p:renamed');
    await view.settle();
    expect(view.keys.size).toBe(0);
  });

  test('FLUSHALL empties a mirror, and keys written after it are kept', async () => {
    for (let i = 0; i < 3000; i++) void store.set(`p:${i}`, '1', hour);
    await store.ping();
    const view = watch(store, 'p:');
    await view.settle();
    expect(view.keys.size).toBe(3000);
    await Promise.all([redisSays('FLUSHALL'), redisSays('SET', 'p:new', '1')]);
    await view.settle();
    expect([...view.keys.keys()]).toEqual(['p:new']);
  });

  test('keys that are not UTF-8 are mirrored and removed', async () => {
    const before = Buffer.from('p:\xff\xfe', 'latin1');
    const after = Buffer.from('p:\xe9', 'latin1');
    await redisSays('SET', before, '1');
    const view = watch(store, 'p:');
    await view.settle();
    expect(view.keys.size).toBe(1);
    await redisSays('SET', after, '1');
    await view.settle();
    expect(view.keys.has('p:\ufffd')).toBe(true);
    await redisSays('DEL', before, after);
    await view.settle();
    expect(view.keys.size).toBe(0);
  });

  test('ten thousand pending writes of others hide nothing that was there before', async () => {
    const view = watch(store, 'p:');
    await view.settle();
    const writes = Array.from({ length: 10_000 }, (_, i) => redisSays('SET', `p:${i}`, '1', 'EX', '3600'));
    for (let i = 0; i < 10_000; i += 1000) {
      await writes[i];
      await view.settle();
      expect(view.keys.has(`p:${i}`)).toBe(true);
    }
    await Promise.all(writes);
    await view.settle();
    expect(view.keys.size).toBe(10_000);
  });

  test('settling without changes is one round trip, shared by all who wait', async () => {
    await store.set('p:1', '1', hour);
    const view = watch(store, 'p:');
    await view.settle();
    await redisSays('CONFIG', 'RESETSTAT');
    for (let i = 0; i < 10; i++) await view.settle();
    await Promise.all(Array.from({ length: 100 }, () => view.settle()));
    const stats = String(await redisSays('INFO', 'commandstats'));
    const calls = [...stats.matchAll(/cmdstat_([^:]+):calls=(\d+)/g)].map(([, name, count]) => [
      name,
      Number(count),
    ]);
    expect(Object.fromEntries(calls)).toEqual({ ping: 12, 'config|resetstat': 1 });
  });

  /** A store whose clocks the test controls, while the clock of Redis goes on. */
  async function openHeld() {
    const held = { passed: systemSteadyClock.now(), stepped: 0 };
    const steady = { now: () => held.passed };
    const clock = { now: () => held.passed + held.stepped };
    const opened = await createRedisTtlStore({ url: redis.url, clock, steady, onError: () => {} });
    return Object.assign(held, { opened, [Symbol.asyncDispose]: () => opened.close() });
  }

  test('a key that has expired by our clock stays while Redis has it, with the time that Redis reports', async () => {
    await using held = await openHeld();
    await store.set('p:1', '1', hour);
    await store.set('p:2', '1', 5 * hour);
    const view = watch(held.opened, 'p:');
    await view.settle();
    // Has the same effect as setting the clock of Redis back by two hours.
    held.passed += 2 * hour;
    await view.settle();
    expectNear(view.keys.get('p:1'), held.passed + hour);
    expect(view.reports.filter(([, end]) => end === undefined)).toEqual([]);
    await store.delete(['p:1']);
    await view.settle();
    expect([...view.keys.keys()]).toEqual(['p:2']);
  });

  test('after the clock of the machine was set, everything is read again before the next answer', async () => {
    await using held = await openHeld();
    await store.set('p:1', '1', hour);
    const view = watch(held.opened, 'p:');
    await view.settle();
    const scans = async () =>
      Number(/cmdstat_scan:calls=(\d+)/.exec(String(await redisSays('INFO', 'commandstats')))?.[1]);
    for (const step of [2 * hour, -2 * hour, -3000]) {
      const before = await scans();
      await view.settle();
      expect(await scans()).toBe(before);
      held.stepped += step;
      await view.settle();
      expect(await scans()).toBeGreaterThan(before);
    }
  });

  test('a Redis that has lost our scripts gets them again', async () => {
    await store.record('c', hour);
    await redisSays('SCRIPT', 'FLUSH');
    expect((await store.record('c', hour)).count).toBe(2);
  });

  test('a key that is not a document reads as none, keeps its end, and is replaced by a document', async () => {
    const body = Buffer.from([0, 255, 10, 13]);
    const foreign: Record<string, string[]> = {
      list: ['RPUSH', 'd:list', 'x'],
      set: ['SADD', 'd:set', 'x'],
      'only order': ['HSET', 'd:only order', 'order', '1'],
      'no body': ['HSET', 'd:no body', 'order', '1', 'id', 'x'],
      'no number': ['HSET', 'd:no number', 'order', '1e3', 'id', 'x', 'body', 'y'],
      'too large': ['HSET', 'd:too large', 'order', '99999999999999999999', 'id', 'x', 'body', 'y'],
      'other fields': ['HSET', 'd:other fields', 'a', 'b'],
    };
    for (const [name, command] of Object.entries(foreign)) {
      const key = `d:${name}`;
      await redisSays(...command);
      expect(await store.readMark(key, hour)).toBeUndefined();
      expect(await store.readDocument(key)).toBeUndefined();
      expect(await store.remaining(key)).toBe(Number.POSITIVE_INFINITY);
      expect(await store.writeDocument(key, { order: 1, bodyId: 'x', ttlMs: hour })).toBe('body-needed');
      expect(await store.writeDocument(key, { order: 1, bodyId: 'x', body, ttlMs: hour })).toBe('written');
      expect(await store.readDocument(key)).toEqual({ order: 1, bodyId: 'x', body });
    }
  });

  test('a counter replaces any other value under its key', async () => {
    await redisSays('SET', 'c', 'x');
    expect(await store.count('c', hour)).toEqual({ count: 0, retryAfterMs: 0 });
    expect((await store.record('c', hour)).count).toBe(1);
  });
});
