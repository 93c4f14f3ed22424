import { expect, test } from 'vitest';
import { Overloaded } from '../../../lib/errors.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import type { Fail2BanStore } from '../../firewall/fail2ban/fail2ban.store.ts';
import { createSlowDown } from './slow-down.ts';

const rules = { settle: async () => ({ findtime: 600 }) } as Fail2BanStore;

function startSlowDown() {
  const keys = new Set<string>();
  const asked: number[] = [];
  const ttl = {
    async record(key: string) {
      keys.add(key);
      return { count: 1, retryAfterMs: 0 };
    },
    count: async () => ({ count: 9, retryAfterMs: 0 }),
  } as unknown as TtlStore;
  const slowDown = createSlowDown({
    ttl,
    redisPrefix: 'test',
    rules,
    pause: (ms, signal) =>
      new Promise((_, reject) => {
        asked.push(ms);
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  });
  return { slowDown, keys, asked };
}

const nobodyLeaves = new AbortController().signal;

test('a hundred answers are held back at once; one more is refused before and after its password check', async () => {
  const { slowDown, asked } = startSlowDown();
  const gone = new AbortController();
  const left = slowDown.hold(10, gone.signal);
  const held = Array.from({ length: 99 }, () => slowDown.hold(39, nobodyLeaves));
  expect(asked).toEqual([1000, ...Array(99).fill(30_000)]);
  await expect(slowDown.hold(10, nobodyLeaves)).rejects.toThrow(Overloaded);
  await expect(slowDown.next('admin')).rejects.toThrow(Overloaded);
  await slowDown.hold(9, nobodyLeaves);

  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  expect(await slowDown.next('admin'), 'a place is free again').toBe(10);
  await expect(slowDown.hold(10, gone.signal), 'gone before').rejects.toThrow('gone');

  slowDown.stop();
  const ends = await Promise.allSettled([...held, slowDown.hold(10, nobodyLeaves)]);
  expect(new Set(ends.map((end) => String((end as PromiseRejectedResult).reason)))).toEqual(
    new Set(['Overloaded: the service is stopping']),
  );
});

test('the counters stay bounded and hold no name, however many names are tried', async () => {
  const { slowDown, keys } = startSlowDown();
  for (let n = 0; n < 100_000; n++) await slowDown.record(`name-${n}`);
  expect(keys.size).toBeLessThanOrEqual(65_536);
  expect([...keys].join()).not.toContain('name');
});
