import { expect, test } from 'vitest';
import { Overloaded } from '../../../lib/errors.ts';
import { createModuleTurns } from './module-turns.ts';

/** Work that ends when the test says so. */
function createWork() {
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name);
      return new Promise<void>((end) => ends.push(end));
    },
    async endOldest(): Promise<void> {
      ends.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

test('turns are limited per module and overall; a module that has had a turn goes behind those waiting', async () => {
  const turns = createModuleTurns({ each: 2, atOnce: 3, waiting: 10, refusal: 'too many' });
  const { begun, work, endOldest } = createWork();
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => turns.run(name.charAt(0), work(name)));
  await new Promise(setImmediate);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  for (let i = 0; i < all.length; i++) await endOldest();
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'c1', 'a4']);
});

test('failed work frees its place, and more than may wait is refused with the given message', async () => {
  const turns = createModuleTurns({ each: 1, atOnce: 1, waiting: 1, refusal: 'too many' });
  const failing = turns.run('a', () => Promise.reject(new Error('no')));
  const waits = turns.run('a', async () => 'done');
  await expect(turns.run('a', async () => 'never')).rejects.toThrow(new Overloaded('too many'));
  await expect(failing).rejects.toThrow('no');
  expect(await waits).toBe('done');
});
