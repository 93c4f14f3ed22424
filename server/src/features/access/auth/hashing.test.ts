import { expect, test } from 'vitest';
import { Overloaded } from '../../../lib/errors.ts';
import { createHashing } from './hashing.ts';

/** A thread that completes a task when the test says so. */
function startHashing() {
  const begun: string[] = [];
  let finish = (_right: boolean) => {};
  const hashing = createHashing({
    run: ({ password }) =>
      new Promise<boolean>((resolve) => {
        begun.push(password);
        finish = resolve;
      }),
  });
  return {
    begun,
    check: (lane: 'known' | 'stranger', password: string, signal?: AbortSignal) =>
      hashing.check(lane, password, 'hash', signal),
    async finish(right = false) {
      finish(right);
      await new Promise(setImmediate);
    },
  };
}

const waiters = (count: number, ask: (name: string) => Promise<boolean>) =>
  Array.from({ length: count }, (_, n) => ask(`s${n}`));

test('one task runs at a time; known callers come first in order, then strangers in order', async () => {
  const { begun, check, finish } = startHashing();
  const asked = [
    check('stranger', 's1'),
    check('stranger', 's2'),
    check('known', 'k1'),
    check('stranger', 's3'),
    check('known', 'k2'),
  ];
  expect(begun).toEqual(['s1']);
  for (let n = 0; n < asked.length; n++) await finish(n === 1);
  expect(begun).toEqual(['s1', 'k1', 'k2', 's2', 's3']);
  expect(await Promise.all(asked)).toEqual([false, false, true, false, false]);
});

test('a full waiting line refuses at once, and keeps places for known callers', async () => {
  const { begun, check, finish } = startHashing();
  const strangers = waiters(33, (name) => check('stranger', name));
  await expect(check('stranger', 'late')).rejects.toThrow(Overloaded);
  const known = waiters(32, (name) => check('known', name));
  await expect(check('known', 'late')).rejects.toThrow(Overloaded);
  await finish();
  const next = check('known', 'in time');
  for (let n = 0; n < 65; n++) await finish();
  await Promise.all([...strangers, ...known, next]);
  expect(begun).toHaveLength(66);
});

test('an aborted request leaves the waiting line and frees its place', async () => {
  const { begun, check, finish } = startHashing();
  const gone = new AbortController();
  const running = check('stranger', 'running');
  const strangers = waiters(31, (name) => check('stranger', name));
  const left = check('stranger', 'left', gone.signal);
  await expect(check('stranger', 'late')).rejects.toThrow(Overloaded);
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(check('stranger', 'never there', gone.signal)).rejects.toThrow('gone');
  strangers.push(check('stranger', 'in time'));
  for (let n = 0; n < 33; n++) await finish();
  await Promise.all([running, ...strangers]);
  expect(begun.at(-1)).toBe('in time');
  expect(begun).not.toContain('left');
});
