import { expect, test } from 'vitest';
import { inPieces, jsonOfMany } from './in-pieces.ts';

test('a list that is rendered in pieces is unchanged, and other work runs in between', async () => {
  const list = Array.from({ length: 100 }, (_, id) => ({ id, text: 'x'.repeat(10_000) }));
  let turns = 0;
  const count = () => {
    turns++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  expect(JSON.parse(`[${await jsonOfMany(list)}]`)).toEqual(list);
  clearImmediate(counting);
  expect(turns).toBeGreaterThan(10);
});

test('an empty list and a short list give the right result', async () => {
  expect(await jsonOfMany([])).toBe('');
  expect(
    await inPieces(
      [1, 2],
      (one) => one * 2,
      () => 8,
    ),
  ).toEqual([2, 4]);
});
