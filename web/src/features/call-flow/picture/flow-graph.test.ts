import { expect, test } from 'vitest';
import { type Box, draw, HEAD_HEIGHT, ROW_HEIGHT, targetOf, WIDTH } from './flow-graph.ts';

const box = (key: string, column: Box['column']): Box => ({ key, column, title: key, note: '', to: '' });

test('boxes stand in their columns, empty columns are left out, and a box with many exits is higher', () => {
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

test('lines of one label begin at one row, and a line to nowhere or to its own box is not drawn', () => {
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

test('a line back to the left starts on the left, and one within a column goes round on the right', () => {
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

/** Points of a path of curves and horizontal lines. */
function pointsOf(path: string): { x: number; y: number }[] {
  let [x = 0, y = 0] = (/^M(\S+) (\S+)/.exec(path)?.slice(1) ?? []).map(Number);
  const points = [{ x, y }];
  for (const [, kind, numbers = ''] of path.matchAll(/([CH])([^CHM]+)/g)) {
    const [a = 0, b = y, c = a, d = y, endX = a, endY = y] = numbers.trim().split(' ').map(Number);
    for (let at = 1; at <= 50; at++) {
      const [t, s] = [at / 50, 1 - at / 50];
      points.push(
        kind === 'H'
          ? { x: x + (a - x) * t, y }
          : {
              x: s ** 3 * x + 3 * s * s * t * a + 3 * s * t * t * c + t ** 3 * endX,
              y: s ** 3 * y + 3 * s * s * t * b + 3 * s * t * t * d + t ** 3 * endY,
            },
      );
    }
    [x, y] = kind === 'H' ? [a, y] : [endX, endY];
  }
  return points;
}

test('no line runs behind a box or leaves the picture', () => {
  const columns = ['routes', 'hours', 'menus', 'queues', 'people'] as const;
  for (let seed = 1; seed <= 60; seed++) {
    let state = seed;
    const pick = (below: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const boxes = columns.flatMap((column) =>
      Array.from({ length: pick(6) }, (_, at) => box(`${column} ${at}`, column)),
    );
    if (boxes.length === 0) continue;
    const lines = Array.from({ length: pick(40) }, (_, at) => ({
      from: boxes[pick(boxes.length)]?.key ?? '',
      to: boxes[pick(boxes.length)]?.key ?? '',
      label: `${at}`,
      isDashed: pick(3) === 0,
    }));
    const { boxes: placed, lines: drawn, width, height } = draw(boxes, lines);
    for (const { path, from, to } of drawn) {
      const points = pointsOf(path);
      const hidden = placed.filter((one) =>
        points.some(
          ({ x, y }) => x > one.x && x < one.x + WIDTH && y > one.y - 3 && y < one.y + one.height + 3,
        ),
      );
      expect(
        hidden.map(({ key }) => key),
        `${seed}: ${from} > ${to} ${path}`,
      ).toEqual([]);
      for (const { x, y } of points)
        expect(x >= 0 && x <= width && y >= 0 && y <= height, `${seed}: ${x} ${y}`).toBe(true);
    }
  }
});

test('lines through one gap run side by side, but those to the same box run together', () => {
  const boxes = [box('a', 'routes'), box('q', 'queues'), box('p', 'people'), box('r', 'people')];
  const { lines } = draw(boxes, [
    { from: 'a', to: 'p', label: '1' },
    { from: 'a', to: 'p', label: '2' },
    { from: 'a', to: 'r', label: '2' },
  ]);
  const lanes = lines.map(({ path }) => / (\S+) \S+ (\S+) H/.exec(path)?.[2]);
  expect(lanes[0]).toBe(lanes[1]);
  expect(lanes[2]).not.toBe(lanes[1]);
});

test('the number of a target is the one in its angle brackets', () => {
  expect(['Support <600>', '600', 'hangup', 'A <b> <7>'].map(targetOf)).toEqual([
    '600',
    '600',
    'hangup',
    '7',
  ]);
});
