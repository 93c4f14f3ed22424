import { expect, test } from 'vitest';
import { Overloaded } from '../../../lib/errors.ts';
import { createTurns } from './turns.ts';

test('jobs of one name run one after the other and beside those of other names; a failure blocks nobody', async () => {
  const inTurn = createTurns();
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  const a = inTurn('a', async () => {
    await first.promise;
    seen.push('a1');
    throw new Error('failed');
  });
  const later = inTurn('a', async () => void seen.push('a2'));
  await inTurn('b', async () => void seen.push('b1'));
  first.resolve();
  await expect(a).rejects.toThrow('failed');
  await later;
  expect(seen).toEqual(['b1', 'a1', 'a2']);
});

test('fifty jobs may wait per name; one more is refused, other names are not affected', async () => {
  const inTurn = createTurns();
  const first = Promise.withResolvers<void>();
  const jobs = Array.from({ length: 51 }, () => inTurn('a', () => first.promise));
  await expect(inTurn('a', async () => {})).rejects.toThrow(Overloaded);
  await inTurn('b', async () => {});
  first.resolve();
  await Promise.all(jobs);
  await inTurn('a', async () => {});
});
