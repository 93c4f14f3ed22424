import { expect, test } from 'vitest';
import { createActBudget } from './act-budget.ts';

function begin() {
  let now = 1_000_000;
  const over = new Set<string>();
  const budget = createActBudget({ clock: { now: () => now }, isUnderWay: (call) => !over.has(call) });
  const pass = (ms: number) => {
    now += ms;
  };
  return { budget, over, pass };
}

test.each([
  ['originate', 60],
  ['hangup', 600],
  ['transfer', 600],
] as const)('%s: at most %i times a minute for each module', (act, most) => {
  const { budget, pass } = begin();
  for (let i = 0; i < most; i++) {
    budget.take('A', act);
    pass(10);
  }
  expect(() => budget.take('A', act)).toThrow(`${act}: at most ${most} times in a minute`);
  budget.take('B', act);
  // The first of them was a minute ago.
  pass(60_000 - 10 * most);
  budget.take('A', act);
  expect(() => budget.take('A', act)).toThrow('in a minute');
  // The clock was set back: nothing counts against the module forever.
  pass(-3_600_000);
  budget.take('A', act);
});

test('a module has at most ten calls at a time, including those being made; a failed one frees its place', async () => {
  const { budget, over } = begin();
  const rings = Promise.withResolvers<string>();
  const slow = budget.making('A', () => rings.promise);
  for (let i = 1; i < 10; i++) await budget.making('A', async () => `c${i}`);
  const next = () => budget.making('A', async () => 'next');
  await expect(next()).rejects.toThrow('at most 10 calls of a module at a time');
  rings.reject(new Error('nobody'));
  await expect(slow).rejects.toThrow('nobody');
  expect(await next()).toBe('next');
  await expect(next()).rejects.toThrow('at most 10');
  over.add('c1');
  expect(await next()).toBe('next');
});
