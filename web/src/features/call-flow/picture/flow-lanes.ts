/** How lines pass columns in between: through the gaps between boxes, side by side. */

interface End {
  readonly column: number;
  readonly y: number;
}

export interface Way {
  readonly from: End;
  readonly to: End;
  /** Paths with the same key share a lane. */
  readonly key: string;
}

/** The boxes of a column, from the top. */
type Stack = readonly { readonly y: number; readonly height: number }[];

export const TOP = 34;
export const GAP_Y = 14;
export const LANE = 8;

/** The columns between both ends, in the direction of the line. */
export function passedBy({ from, to }: Way): number[] {
  const step = Math.sign(to.column - from.column);
  const count = Math.max(0, Math.abs(to.column - from.column) - 1);
  return Array.from({ length: count }, (_, at) => from.column + step * (at + 1));
}

/** The nearest gap of each passed column; gap 0 is above the first box. */
export function gapsOf(way: Way, stacks: readonly Stack[]): number[] {
  let before = way.from;
  return passedBy(way).map((column) => {
    const stack = stacks[column] ?? [];
    const wanted = straightAt(column, before, way.to);
    const far = stack.map((_, gap) => Math.abs(middleOf(stack, gap) - wanted));
    // Below the last box, there is unlimited room.
    far.push(Math.max(0, middleOf(stack, stack.length) - wanted));
    const gap = far.indexOf(Math.min(...far));
    const middle = middleOf(stack, gap);
    before = { column, y: gap === stack.length ? Math.max(middle, wanted) : middle };
    return gap;
  });
}

/** The lanes that a gap needs room for. */
export function crowdsOf(ways: readonly Way[], gaps: readonly (readonly number[])[]) {
  const crowds = new Map<string, Map<string, number>>();
  for (const [index, way] of ways.entries())
    for (const [at, column] of passedBy(way).entries()) {
      const place = placeOf(column, gaps[index]?.[at] ?? 0);
      const crowd = crowds.get(place) ?? new Map<string, number>();
      crowds.set(place, crowd);
      if (!crowd.has(way.key)) crowd.set(way.key, straightAt(column, way.from, way.to));
    }
  return (column: number, gap: number): readonly (readonly [string, number])[] =>
    // Sorted by where a straight line would pass, so that fewer of them cross.
    [...(crowds.get(placeOf(column, gap)) ?? [])].sort(([, a], [, b]) => a - b);
}

/** The vertical position at which a path passes a column, in its gap there. */
export function laneOf(
  key: string,
  gap: number,
  stack: Stack,
  crowd: readonly (readonly [string, number])[],
): number {
  let y = topOf(stack, gap) + (GAP_Y - LANE) / 2;
  for (const [one, wanted] of crowd) {
    y = gap === stack.length ? Math.max(y + LANE, wanted) : y + LANE;
    if (one === key) break;
  }
  return y;
}

const placeOf = (column: number, gap: number): string => `${column} ${gap}`;

function topOf(stack: Stack, gap: number): number {
  const above = stack[gap - 1];
  return above ? above.y + above.height : TOP - GAP_Y;
}

const middleOf = (stack: Stack, gap: number): number => topOf(stack, gap) + GAP_Y / 2;

function straightAt(column: number, from: End, to: End): number {
  return from.y + ((to.y - from.y) * (column - from.column)) / (to.column - from.column);
}
