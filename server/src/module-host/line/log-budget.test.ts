import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withinLines } from './log-budget.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('a hundred lines are written in a second, and any more are dropped', () => {
  const lines: string[] = [];
  const write = withinLines((text) => lines.push(text));
  for (let i = 0; i < 4000; i++) write(String(i));
  expect(lines).toHaveLength(100);
  vi.advanceTimersByTime(1000);
  write('later');
  expect(lines.at(-1)).toBe('later');
});
