import { expect, test } from 'vitest';
import { createInOrder } from './in-order.ts';

test('jobs of one name run in order, even after a failed one; jobs of another name do not wait', async () => {
  const inOrder = createInOrder({ most: 10 });
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = inOrder('a', async () => {
    await gate.promise;
    done.push('first');
    throw new Error('failed');
  });
  const second = inOrder('a', async () => void done.push('second'));
  await inOrder('b', async () => void done.push('other'));
  expect(done).toEqual(['other']);
  gate.resolve();
  await expect(first).rejects.toThrow('failed');
  await second;
  expect(done).toEqual(['other', 'first', 'second']);
});

test('a full line drops further jobs until there is room', async () => {
  const inOrder = createInOrder({ most: 2 });
  const done: number[] = [];
  await Promise.all([1, 2, 3].map((n) => inOrder('a', async () => void done.push(n))));
  await inOrder('a', async () => void done.push(4));
  expect(done).toEqual([1, 2, 4]);
});
