import { createClient } from '@redis/client';
import { describe, expect, test, vi } from 'vitest';
import { findRedis, startRedis } from '../../../test/real/redis.ts';
import { realPart } from '../../../test/real/require-real.ts';
import { eventLogSuite } from './event-log.suite.ts';
import { createRedisEventLog } from './redis-event-log.ts';

const soon = <T>(check: () => T) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

async function makeRig() {
  const redis = await startRedis();
  let now = 0;
  const errors: unknown[] = [];
  const logs: Awaited<ReturnType<typeof createRedisEventLog>>[] = [];
  return {
    redis,
    errors,
    async command(...args: string[]) {
      const client = await createClient({ url: redis.url }).connect();
      await client.sendCommand(args);
      client.destroy();
    },
    async open() {
      const log = await createRedisEventLog({
        url: redis.url,
        redisPrefix: 'test',
        steady: { now: () => now },
        onError: (error) => errors.push(error),
      });
      logs.push(log);
      return log;
    },
    advance(ms: number) {
      now += ms;
    },
    async close() {
      await Promise.all(logs.map((log) => log.close()));
      await redis.stop();
    },
  };
}

describe.runIf(realPart('Redis', findRedis()))('on Redis', () => {
  eventLogSuite('log of events in Redis', makeRig);

  const event = (id: string, keep = true) =>
    ({
      topic: 'calls',
      event: 'call',
      data: { id },
      ...(keep && { keep: { subject: id, data: { id } } }),
    }) as const;

  test('nodes get the same events in the same order, and a later node gets the kept state and the log', async () => {
    const rig = await makeRig();
    const [one, other] = [await rig.open(), await rig.open()];
    const start = one.head;
    const otherStart = other.head;
    for (let n = 0; n < 50; n++) (n % 2 ? one : other).publish(event(String(n)));
    await soon(() => expect([one.head - start, other.head - otherStart]).toEqual([50, 50]));
    expect(other.from(otherStart, 100)).toEqual(one.from(start, 100));
    const late = await rig.open();
    expect(new Set(late.kept('calls'))).toEqual(new Set(one.kept('calls')));
    const [first] = one.from(start, 1) ?? [];
    const place = (await late.placeAfter(first?.id as string)) as number;
    expect(late.from(place, 100)).toEqual(one.from(start + 1, 100));
    await rig.close();
  });

  test('one node is the speaker, and another one takes over when it goes', async () => {
    const rig = await makeRig();
    const [one, other] = [await rig.open(), await rig.open()];
    expect([one.isSpeaker, other.isSpeaker]).toEqual([true, false]);
    const told = Promise.withResolvers<void>();
    other.onSpeaker(told.resolve);
    await one.close();
    await told.promise;
    expect(other.isSpeaker).toBe(true);
    await rig.close();
  });

  test('events published while Redis is away arrive once when it is back', async () => {
    const rig = await makeRig();
    const log = await rig.open();
    log.publish(event('before'));
    await soon(() => expect(log.kept('calls').has('before')).toBe(true));
    const start = log.head;
    await rig.redis.kill();
    for (let n = 0; n < 20; n++) log.publish(event(String(n), false));
    await rig.redis.restart();
    await soon(() => expect(log.head - start).toBe(20));
    await rig.close();
  });

  test('a lost log is a break, and events published afterwards arrive', async () => {
    const rig = await makeRig();
    const log = await rig.open();
    log.publish(event('before'));
    await soon(() => expect(log.kept('calls').has('before')).toBe(true));
    const before = log.headId;
    const broken = Promise.withResolvers<void>();
    log.onBreak(broken.resolve);
    await rig.redis.flush();
    log.publish(event('after'));
    await broken.promise;
    await soon(() => expect([...log.kept('calls').keys()]).toEqual(['after']));
    expect(await log.placeAfter(before)).toBe('expired');
    await rig.close();
  });

  test('30.6: thousands of changes at once are not an outage and arrive without a gap', async () => {
    const rig = await makeRig();
    const log = await rig.open();
    let breaks = 0;
    log.onBreak(() => breaks++);
    const start = log.head;
    for (let n = 0; n < 3000; n++) log.publish(event(String(n)));
    await soon(() => expect(log.head - start).toBe(3000));
    expect([breaks, log.kept('calls').size]).toEqual([0, 3000]);
    await rig.close();
  });

  test('30.6: more than 1000 events waiting for Redis are a break, and a refusal is reported once', async () => {
    const rig = await makeRig();
    const log = await rig.open();
    const broken = Promise.withResolvers<void>();
    log.onBreak(broken.resolve);
    await rig.command('ACL', 'SETUSER', 'default', '-xadd');
    log.publish(event('first'));
    await soon(() => expect(rig.errors).toHaveLength(1));
    for (let n = 0; n < 1100; n++) log.publish(event(String(n)));
    await rig.command('ACL', 'SETUSER', 'default', '+xadd');
    await broken.promise;
    expect(log.kept('calls').size).toBeLessThan(1000);
    expect(rig.errors).toHaveLength(1);
    await rig.close();
  });
});
