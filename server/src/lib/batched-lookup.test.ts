import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatchedLookup } from './batched-lookup.ts';

function asked(atOnce = 100) {
  const questions: (readonly string[])[] = [];
  const answers: PromiseWithResolvers<ReadonlyMap<string, string>>[] = [];
  const ask = createBatchedLookup((keys: readonly string[]) => {
    questions.push(keys);
    answers.push(Promise.withResolvers());
    return answers.at(-1)!.promise;
  }, atOnce);
  return { ask, questions, answers };
}

const echo = (keys: readonly string[]) => new Map(keys.map((key) => [key, key.toUpperCase()]));

test('the first key is looked up at once, and keys that arrive meanwhile are looked up together', async () => {
  const { ask, questions, answers } = asked();
  const all = [ask('a'), ask('b'), ask('c'), ask('b')];
  expect(questions).toEqual([['a']]);
  answers[0]?.resolve(echo(['a']));
  await all[0];
  expect(questions).toEqual([['a'], ['b', 'c', 'b']]);
  answers[1]?.resolve(echo(['b']));
  expect(await Promise.all(all)).toEqual(['A', 'B', undefined, 'B']);
});

test('a key that arrives during a lookup goes into the next lookup', async () => {
  const { ask, questions, answers } = asked();
  const first = ask('a');
  const second = ask('b');
  await setImmediate();
  expect(questions).toEqual([['a']]);
  answers[0]?.resolve(echo(['a']));
  expect(await first).toBe('A');
  expect(questions).toEqual([['a'], ['b']]);
  answers[1]?.resolve(echo(['b']));
  expect(await second).toBe('B');
});

test('a failed lookup fails for its own keys, not for later ones', async () => {
  const { ask, answers } = asked();
  const first = ask('a');
  const second = ask('b');
  answers[0]?.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  answers[1]?.resolve(echo(['b']));
  expect(await second).toBe('B');
});

test('many keys are looked up in batches', async () => {
  const { ask, questions, answers } = asked(2);
  const [first] = [ask('a'), ask('b'), ask('c'), ask('d')];
  answers[0]?.resolve(echo(['a']));
  expect(await first).toBe('A');
  expect(questions).toEqual([['a'], ['b', 'c']]);
});
