import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findRedis, type RealRedis, startRedis } from '../../../test/real/redis.ts';
import { realPart } from '../../../test/real/require-real.ts';
import { systemClock, systemSteadyClock } from '../../lib/clock.ts';
import { StoreUnavailable } from '../../lib/errors.ts';
import { createRedisTtlStore } from './redis-ttl-store.ts';
import { slackMs, watch } from './ttl-store.rig.ts';
import type { TtlStore } from './ttl-store.ts';

const storeProcess = fileURLToPath(new URL('./ttl-store.process.ts', import.meta.url));
const commandTimeoutMs = 2000;
const hour = 3_600_000;
const clocks = { clock: systemClock, steady: systemSteadyClock };
const patience = { timeout: 10_000, interval: 20 };

describe.skipIf(!realPart('Redis', findRedis()))('a Redis that fails', { timeout: 30_000 }, () => {
  let redis: RealRedis;
  let store: TtlStore;
  let outages: Error[];
  const clean: (() => unknown)[] = [];

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.restart();
    await redis.flush();
    outages = [];
    store = await open();
  });
  afterEach(async () => {
    redis.resume();
    for (const step of clean.splice(0).reverse()) await step();
  });

  async function open(timeoutMs = commandTimeoutMs): Promise<TtlStore> {
    const opened = await createRedisTtlStore({
      url: redis.url,
      ...clocks,
      commandTimeoutMs: timeoutMs,
      onError: (error) => outages.push(error),
    });
    clean.push(() => opened.close());
    return opened;
  }

  async function otherClient() {
    const client = createClient({ url: redis.url });
    client.on('error', () => {});
    await client.connect();
    clean.push(() => client.destroy());
    return client;
  }

  function everyCall(): Promise<unknown>[] {
    return [
      store.set('k', '1'),
      store.remaining('k'),
      store.delete(['k']),
      store.record('k', 1000),
      store.count('k', 1000),
      store.readMark('k', 1000),
      store.readDocument('k'),
      store.writeDocument('k', { order: 1, bodyId: 'x', body: Buffer.from('x'), ttlMs: 1000 }),
      store.ping(),
    ];
  }

  async function expectAllToFail(calls: Promise<unknown>[]): Promise<void> {
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
    }
  }

  test('a store opens while Redis is down, refuses calls at once, and recovers by itself', async () => {
    await redis.kill();
    // A call that waits for the timeout would take longer than the test.
    store = await open(hour);
    const view = watch(store, 'p:');
    await expectAllToFail([...everyCall(), view.settle()]);
    await redis.restart();
    await vi.waitFor(() => store.set('p:1', '1', hour), patience);
    await vi.waitFor(() => view.settle(), patience);
    expect([...view.keys.keys()]).toEqual(['p:1']);
  });

  test('each outage is reported once', async () => {
    const view = watch(store, 'p:');
    await view.settle();
    for (let outage = 1; outage <= 2; outage++) {
      await redis.kill();
      await vi.waitFor(() => expect(outages).toHaveLength(outage), patience);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await redis.restart();
      await vi.waitFor(() => view.settle(), patience);
      expect(outages).toHaveLength(outage);
    }
  });

  test('every call to a hung Redis fails after the timeout, and calls succeed again when it responds', async () => {
    const view = watch(store, 'p:');
    await store.set('p:1', '1', hour);
    await view.settle();
    redis.pause();
    const start = performance.now();
    await expectAllToFail([...everyCall(), view.settle()]);
    expect(performance.now() - start).toBeGreaterThan(commandTimeoutMs - 50);
    await expectAllToFail([...everyCall(), view.settle()]);
    redis.resume();
    await vi.waitFor(() => store.set('p:2', '1', hour), patience);
    await vi.waitFor(() => view.settle(), patience);
    expect([...view.keys.keys()].sort()).toEqual(['p:1', 'p:2']);
    const other = await otherClient();
    // Dropped connections do not pile up on the server: one for commands, one for the mirror, one of this test.
    await vi.waitFor(async () => {
      const list = String(await other.sendCommand(['CLIENT', 'LIST']));
      expect(list.trim().split('\n')).toHaveLength(3);
    }, patience);
  });

  test('a mirror fails if Redis is killed while it settles, and later sees what was changed meanwhile', async () => {
    const view = watch(store, 'p:');
    for (const key of ['p:stays', 'p:goes', 'p:ends']) await store.set(key, '1', hour);
    await view.settle();
    redis.pause();
    const settling = expect(view.settle()).rejects.toThrow(StoreUnavailable);
    await redis.kill();
    await settling;
    await expect(view.settle()).rejects.toThrow(StoreUnavailable);
    await redis.restart();
    const other = await otherClient();
    await other.sendCommand(['DEL', 'p:goes']);
    await other.sendCommand(['PERSIST', 'p:ends']);
    await other.sendCommand(['SET', 'p:comes', '1']);
    await vi.waitFor(() => view.settle(), patience);
    expect([...view.keys.keys()].sort()).toEqual(['p:comes', 'p:ends', 'p:stays']);
    expect(view.keys.get('p:ends')).toBe(Number.POSITIVE_INFINITY);
  });

  test('changes made while only our connections were cut are found by a scan, which repeats nothing', async () => {
    const view = watch(store, 'p:');
    const other = await otherClient();
    for (const key of ['p:1', 'p:2', 'p:3']) await store.set(key, '1', hour);
    await view.settle();
    const before = view.reports.length;
    const endsBefore = new Map(view.keys);
    await Promise.all([
      other.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']),
      other.sendCommand(['DEL', 'p:2']),
      other.sendCommand(['SET', 'p:4', '1']),
    ]);
    // Fails unless the connections are already back.
    await view.settle().catch((error) => expect(error).toBeInstanceOf(StoreUnavailable));
    await vi.waitFor(() => view.settle(), patience);
    // An end is the time of the request plus the remaining time, so it differs after a slow request.
    const isFromSlowQuestion = ([key, end = Number.NaN]: (typeof view.reports)[number]) => {
      const apart = Math.abs(end - (endsBefore.get(key) ?? Number.NaN));
      return apart >= 50 && apart < slackMs;
    };
    const told = view.reports.slice(before).filter((report) => !isFromSlowQuestion(report));
    expect(new Map(told)).toEqual(
      new Map([
        ['p:2', undefined],
        ['p:4', Number.POSITIVE_INFINITY],
      ]),
    );
    expect([...view.keys.keys()].sort()).toEqual(['p:1', 'p:3', 'p:4']);
  });

  test('a process can exit after close, whether Redis is running, hung or gone', async () => {
    const steps = [() => {}, () => redis.pause(), () => redis.kill()];
    for (const step of steps) {
      const child = fork(storeProcess, ['redis', redis.url]);
      const exited = once(child, 'exit');
      clean.push(() => child.kill('SIGKILL'));
      await once(child, 'message');
      await step();
      child.send({ id: 1, method: 'close', args: [] });
      for (let closed = false; !closed; ) {
        const [message] = (await once(child, 'message')) as [{ id?: number; error?: string }];
        closed = message.id === 1;
        expect(message.error).toBeUndefined();
      }
      child.disconnect();
      expect(await exited).toEqual([0, null]);
      redis.resume();
    }
  });

  test('a wrong password is an outage, and the password is not reported', async () => {
    const other = await otherClient();
    await other.sendCommand(['CONFIG', 'SET', 'requirepass', 'right']);
    clean.push(() => other.sendCommand(['CONFIG', 'SET', 'requirepass', '']));
    const url = redis.url.replace('//', '//:guessed-secret@');
    const told: Error[] = [];
    const wrong = await createRedisTtlStore({
      url,
      ...clocks,
      onError: (error) => told.push(error),
    });
    clean.push(() => wrong.close());
    await expect(wrong.ping()).rejects.toThrow(StoreUnavailable);
    expect(told).toHaveLength(1);
    expect(`${told[0]?.stack} ${told[0]?.cause}`).not.toContain('guessed-secret');
  });

  test('an address that is not a Redis address is refused without repeating it', async () => {
    const opening = createRedisTtlStore({ url: 'http://:secret@x', ...clocks, onError: () => {} });
    await expect(opening).rejects.toThrow('must begin with redis://');
    await expect(opening).rejects.not.toThrow('secret');
  });
});
