import { expect, test } from 'vitest';
import { TooManyRequests } from '../../lib/errors.ts';
import { createQuestionBudget, QUESTION_LIMITS } from './question-budget.ts';

const wide = { ...QUESTION_LIMITS, atOnce: 2, waiting: 3, waitingBytes: 100 };

test('questions under way are limited; the others wait, and far too many are refused', async () => {
  const budget = createQuestionBudget(wide);
  const ends: (() => void)[] = [];
  const ask = (bytes = 1) => budget.run(bytes, () => new Promise<void>((end) => ends.push(end)));
  const asked = [ask(), ask(), ask(90), ask()];
  await new Promise(setImmediate);
  expect(ends).toHaveLength(2);
  await expect(ask(10)).rejects.toThrow(TooManyRequests);
  asked.push(ask());
  await expect(ask()).rejects.toThrow(TooManyRequests);
  while (ends.length > 0) {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  await Promise.all(asked);
});

test('questions after an expensive one wait until its cost is paid', async () => {
  const budget = createQuestionBudget({ ...wide, burst: 2, perSecond: 1000 });
  const began = performance.now();
  await budget.run(1, async () => budget.charge({ records: 1000 }));
  await budget.run(1, async () => {});
  // The cost of fifty questions, at a thousand per second; a timer may be early by a millisecond.
  expect(performance.now() - began).toBeGreaterThan(45);
});

/** The end of this turn of the event loop, if awaited before anything else. */
const turn = () => new Promise(setImmediate);
const roomy = { ...QUESTION_LIMITS, waitingBytes: 10_000_000 };

test('small questions begin in one turn of the event loop, large ones each in a turn of their own', async () => {
  for (const [bytes, together] of [
    [100, 5],
    [100_000, 1],
  ] as const) {
    const budget = createQuestionBudget(roomy);
    let begun = 0;
    const thisTurn = turn();
    const asked = Array.from({ length: 5 }, () => budget.run(bytes, async () => void begun++));
    await thisTurn;
    expect(begun).toBe(together);
    await Promise.all(asked);
    expect(begun).toBe(5);
  }
});

test('the cost of one question is counted before the next one begins', async () => {
  const budget = createQuestionBudget(roomy);
  let begun = 0;
  const costly = async () => {
    begun++;
    await Promise.resolve(); // synchronous, like SQLite's answer
    budget.charge({ records: 400 });
  };
  const thisTurn = turn();
  const asked = [budget.run(1, costly), budget.run(1, costly)];
  await thisTurn;
  expect(begun).toBe(1);
  await Promise.all(asked);
});

test('JSON that is read in one go is followed by a pause, whatever budget was saved', async () => {
  const budget = createQuestionBudget({ ...roomy, perSecond: 1000 });
  const began = performance.now();
  await budget.run(1, async () => budget.chargeJson({ values: 5000 }));
  await budget.run(1, async () => {});
  expect(performance.now() - began).toBeGreaterThan(45);
});
