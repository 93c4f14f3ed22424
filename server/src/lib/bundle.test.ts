import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBundle } from './bundle.ts';

function asked(atOnce = 100) {
  const questions: (readonly string[])[] = [];
  const answers: PromiseWithResolvers<ReadonlyMap<string, string>>[] = [];
  const ask = createBundle((keys: readonly string[]) => {
    questions.push(keys);
    answers.push(Promise.withResolvers());
    return answers.at(-1)!.promise;
  }, atOnce);
  return { ask, questions, answers };
}

const echo = (keys: readonly string[]) => new Map(keys.map((key) => [key, key.toUpperCase()]));

test('those who come at the same moment are asked for together', async () => {
  const { ask, questions, answers } = asked();
  const all = [ask('a'), ask('b'), ask('a')];
  await setImmediate();
  expect(questions).toEqual([['a', 'b', 'a']]);
  answers[0]?.resolve(echo(['a']));
  expect(await Promise.all(all)).toEqual(['A', undefined, 'A']);
});

test('whoever comes while a question is under way goes with the next', async () => {
  const { ask, questions, answers } = asked();
  const first = ask('a');
  await setImmediate();
  const second = ask('b');
  await setImmediate();
  expect(questions).toEqual([['a']]);
  answers[0]?.resolve(echo(['a']));
  expect(await first).toBe('A');
  expect(questions).toEqual([['a'], ['b']]);
  answers[1]?.resolve(echo(['b']));
  expect(await second).toBe('B');
});

test('a failed question fails those who asked it, and nobody after them', async () => {
  const { ask, answers } = asked();
  const first = ask('a');
  await setImmediate();
  const second = ask('b');
  answers[0]?.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  answers[1]?.resolve(echo(['b']));
  expect(await second).toBe('B');
});

test('a crowd is asked for in parts', async () => {
  const { ask, questions, answers } = asked(2);
  const [first] = [ask('a'), ask('b'), ask('c')];
  await setImmediate();
  expect(questions).toEqual([['a', 'b']]);
  answers[0]?.resolve(echo(['a']));
  expect(await first).toBe('A');
  expect(questions).toEqual([['a', 'b'], ['c']]);
});
