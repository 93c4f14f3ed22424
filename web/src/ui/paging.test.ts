import { expect, test } from 'vitest';
import { pageStart } from './paging.ts';

test('a page beyond the end becomes the last one, and every page begins at a multiple of its size', () => {
  expect(pageStart(0, 50, 0)).toBe(0);
  expect(pageStart(100, 50, 120)).toBe(100);
  expect(pageStart(150, 50, 120)).toBe(100);
  expect(pageStart(100, 50, 100)).toBe(50);
  expect(pageStart(7, 50, 120)).toBe(0);
  expect(pageStart(999_999, 25, 1)).toBe(0);
});
