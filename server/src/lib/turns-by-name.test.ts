import { expect, test } from 'vitest';
import { createTurnsByName } from './turns-by-name.ts';

test('jobs with the same name take turns, even after a failed one; a job with another name does not wait', async () => {
  const turns = createTurnsByName();
  const first = Promise.withResolvers<void>();
  const order: string[] = [];
  const failing = turns('a', () => first.promise.then(() => order.push('first')));
  const second = turns('a', async () => order.push('second'));
  await turns('b', async () => order.push('other'));
  expect(order).toEqual(['other']);
  first.reject(new Error('it failed'));
  await expect(failing).rejects.toThrow('it failed');
  await second;
  expect(order).toEqual(['other', 'second']);
});
