import { expect, test } from 'vitest';
import { type Box, draw, HEAD_HEIGHT, ROW_HEIGHT, targetOf, WIDTH } from './flow-graph.ts';

const box = (key: string, column: Box['column']): Box => ({ key, column, title: key, note: '', to: '' });

test('boxes stand in their columns, empty columns are left out, and a box with many ways out is higher', () => {
  const boxes = [box('a', 'routes'), box('m', 'menus'), box('p', 'people'), box('q', 'people')];
  const lines = ['1', '2', '3', '4'].map((label) => ({ from: 'm', to: 'p', label }));
  const { boxes: placed, columns, width } = draw(boxes, [...lines, { from: 'a', to: 'm', label: '' }]);
  expect(columns.map(({ name }) => name)).toEqual(['routes', 'menus', 'people']);
  const [a, m, p, q] = placed;
  expect(a?.x).toBe(0);
  expect(a?.rows).toEqual([]);
  expect(m?.height).toBeGreaterThan(HEAD_HEIGHT + 4 * ROW_HEIGHT);
  expect((q?.y ?? 0) - (p?.y ?? 0)).toBeGreaterThan(p?.height ?? 0);
  expect(width).toBe((p?.x ?? 0) + WIDTH);
});

test('lines of one label begin at one row, and a line to nowhere or to itself is not drawn', () => {
  const boxes = [box('q', 'queues'), box('p', 'people'), box('r', 'people')];
  const { boxes: placed, lines } = draw(boxes, [
    { from: 'q', to: 'p', label: 'rings' },
    { from: 'q', to: 'r', label: 'rings' },
    { from: 'q', to: 'p', label: 'full' },
    { from: 'q', to: 'gone', label: 'empty' },
    { from: 'q', to: 'q', label: 'again' },
  ]);
  expect(placed[0]?.rows.map(({ label }) => label)).toEqual(['rings', 'full']);
  const begins = lines.map(({ path }) => path.split(' C')[0]);
  expect(begins[0]).toBe(begins[1]);
  expect(begins[2]).not.toBe(begins[0]);
  expect(lines).toHaveLength(3);
});

test('a line back to the left leaves on the left, and one within a column goes round on the right', () => {
  const boxes = [box('m', 'menus'), box('q', 'queues'), box('p', 'people'), box('r', 'people')];
  const {
    boxes: placed,
    lines,
    width,
  } = draw(boxes, [
    { from: 'q', to: 'm', label: 'full' },
    { from: 'p', to: 'r', label: 'busy' },
  ]);
  const [m, q, p] = placed;
  expect(lines[0]?.path).toMatch(new RegExp(`^M${q?.x} .* ${(m?.x ?? 0) + WIDTH} \\d+$`));
  expect(q?.rows).toEqual([{ label: 'full', isBack: true }]);
  const right = (p?.x ?? 0) + WIDTH;
  expect(lines[1]?.path).toMatch(new RegExp(`^M${right} .* ${right} [\\d.]+$`));
  expect(width).toBeGreaterThan(right);
});

test('the number of a target is what stands in its angle brackets', () => {
  expect(['Support <600>', '600', 'hangup', 'A <b> <7>'].map(targetOf)).toEqual([
    '600',
    '600',
    'hangup',
    '7',
  ]);
});
