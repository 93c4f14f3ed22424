import { expect, test } from 'vitest';
import { type Box, draw, targetOf, WIDTH } from './flow-graph.ts';

const box = (key: string, column: Box['column']): Box => ({ key, column, title: key, note: '', to: '' });

test('boxes stand in their columns, empty columns are left out, and a box with many lines is higher', () => {
  const boxes = [box('a', 'routes'), box('m', 'menus'), box('p', 'people'), box('q', 'people')];
  const lines = ['1', '2', '3', '4'].map((label) => ({ from: 'm', to: 'p', label }));
  const { boxes: placed, columns, width } = draw(boxes, [...lines, { from: 'a', to: 'm', label: '' }]);
  expect(columns.map(({ name }) => name)).toEqual(['routes', 'menus', 'people']);
  const [a, m, p, q] = placed;
  expect(a?.x).toBe(0);
  expect(m?.height).toBeGreaterThan(a?.height ?? 0);
  expect((q?.y ?? 0) - (p?.y ?? 0)).toBeGreaterThan(p?.height ?? 0);
  expect(width).toBe((p?.x ?? 0) + WIDTH);
});

test('lines of one box begin apart, and a line to nowhere or to itself is not drawn', () => {
  const boxes = [box('m', 'menus'), box('p', 'people')];
  const { lines } = draw(boxes, [
    { from: 'm', to: 'p', label: '1' },
    { from: 'm', to: 'p', label: '2' },
    { from: 'm', to: 'gone', label: '3' },
    { from: 'm', to: 'm', label: '4' },
  ]);
  expect(lines.map(({ label }) => label)).toEqual(['1', '2']);
  expect(new Set(lines.map(({ labelY }) => labelY)).size).toBe(2);
});

test('the number of a target is what stands in its angle brackets', () => {
  expect(['Support <600>', '600', 'hangup', 'A <b> <7>'].map(targetOf)).toEqual([
    '600',
    '600',
    'hangup',
    '7',
  ]);
});
