import { expect, test } from 'vitest';
import { text } from './field.ts';

const problem = (value: string, rules: Parameters<typeof text>[0]) => {
  try {
    text(rules).read(value);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('the length of a text counts its characters, however many bytes they take', () => {
  for (const letter of ['x', 'Ж', '漢', '😀']) {
    expect(problem(letter.repeat(5), { min: 5, max: 5 })).toBe('');
    expect(problem(letter.repeat(6), { max: 5 })).toBe('at most 5 characters (got 6)');
    expect(problem(letter.repeat(4), { min: 5, max: 9 })).toBe('at least 5 characters (got 4)');
  }
});
