/** Where lines pass columns that they do not lead to: through the gaps between boxes, each beside the others. */

interface End {
  readonly column: number;
  readonly y: number;
}

export interface Way {
  readonly from: End;
  readonly to: End;
  /** Ways with one key share a lane. */
  readonly key: string;
}

/** The boxes of a column, from above. */
type Stack = readonly { readonly y: number; readonly height: number }[];

export const TOP = 34;
export const GAP_Y = 14;
export const LANE = 8;

/** From left to right, or from right to left. */
export function passedBy({ from, to }: Way): number[] {
  const step = Math.sign(to.column - from.column);
  const count = Math.max(0, Math.abs(to.column - from.column) - 1);
  return Array.from({ length: count }, (_, at) => from.column + step * (at + 1));
}

/** The nearest gap of each column that is passed; gap 0 is above the first box. */
export function gapsOf(way: Way, stacks: readonly Stack[]): number[] {
  let before = way.from;
  return passedBy(way).map((column) => {
    const stack = stacks[column] ?? [];
    const wanted = straightAt(column, before, way.to);
    const far = stack.map((_, gap) => Math.abs(middleOf(stack, gap) - wanted));
    // Below the last box there is room as far down as one likes.
    far.push(Math.max(0, middleOf(stack, stack.length) - wanted));
    const gap = far.indexOf(Math.min(...far));
    const middle = middleOf(stack, gap);
    before = { column, y: gap === stack.length ? Math.max(middle, wanted) : middle };
    return gap;
  });
}

/** How many lanes a gap has to have room for. */
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
    // In the order in which they come, so that they cross less.
    [...(crowds.get(placeOf(column, gap)) ?? [])].sort(([, a], [, b]) => a - b);
}

/** How far down a way passes a column, in the gap that it takes there. */
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
