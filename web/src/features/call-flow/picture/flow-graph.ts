import { crowdsOf, GAP_Y, gapsOf, LANE, laneOf, passedBy, TOP, type Way } from './flow-lanes.ts';

/** The columns of the picture, from the called numbers on the left to the people on the right. */
const COLUMNS = ['routes', 'hours', 'menus', 'queues', 'people'] as const;
type ColumnName = (typeof COLUMNS)[number];

export interface Box {
  readonly key: string;
  readonly column: ColumnName;
  readonly title: string;
  readonly note: string;
  /** URL of its screen; empty if it has none. */
  readonly to: string;
  /** Text to search for on that screen. */
  readonly search?: string;
  readonly isOff?: boolean;
}

export interface Line {
  readonly from: string;
  readonly to: string;
  /** When a call takes this line, shown as a row of the box where it begins. */
  readonly label: string;
  /** Only while the line is closed. */
  readonly isDashed?: boolean;
}

export interface Placed extends Box {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** When calls leave it, one below the other; empty if there is only one way out. */
  readonly rows: readonly Row[];
}

interface Row {
  readonly label: string;
  /** Its lines go back to a column on the left. */
  readonly isBack: boolean;
}

export const WIDTH = 152;
export const HEAD_HEIGHT = 46;
export const ROW_HEIGHT = 18;
const GAP_X = 60;
const BOTTOM = 5;
/** How far a line moves away from the column to which it returns. */
const ARC = 36;

/** Stacks boxes in their columns, in the given order, and draws lines between them. Empty columns are left out. */
export function draw(boxes: readonly Box[], lines: readonly Line[]) {
  const known = new Set(boxes.map(({ key }) => key));
  const drawn = lines.filter(({ from, to }) => known.has(from) && known.has(to) && from !== to);
  const columns = COLUMNS.filter((name) => boxes.some(({ column }) => column === name));
  const placeOf = new Map(boxes.map(({ key, column }) => [key, columns.indexOf(column)]));
  const isBack = ({ from, to }: Line) => (placeOf.get(to) ?? 0) < (placeOf.get(from) ?? 0);
  const sized = columns.map((name) =>
    boxes
      .filter(({ column }) => column === name)
      .map((box) => {
        const rows = rowsOf(
          drawn.filter(({ from }) => from === box.key),
          isBack,
        );
        const height = HEAD_HEIGHT + (rows.length === 0 ? 0 : rows.length * ROW_HEIGHT + BOTTOM);
        return { ...box, rows, height };
      }),
  );
  // Gaps are chosen first; then they grow by the lines that pass through.
  const tight = stacked(sized, () => 0);
  const gaps = waysOf(drawn, tight).map((way) => gapsOf(way, tight));
  const crowdsBefore = crowdsOf(waysOf(drawn, tight), gaps);
  const stacks = stacked(sized, (column, gap) => crowdsBefore(column, gap).length);
  const ways = waysOf(drawn, stacks);
  const crowds = crowdsOf(ways, gaps);
  const passages = ways.map((way, index) =>
    passedBy(way).map((column, at) => {
      const gap = gaps[index]?.[at] ?? 0;
      return { x: xOf(column), y: laneOf(way.key, gap, stacks[column] ?? [], crowds(column, gap)) };
    }),
  );
  const all = stacks.flat();
  const last = columns.length - 1;
  const hasArcs = drawn.some(({ from, to }) => placeOf.get(from) === last && placeOf.get(to) === last);
  const lowest = [...all.map(({ y, height }) => y + height), ...passages.flat().map(({ y }) => y)];
  return {
    boxes: all,
    lines: drawn.map((line, index) => ({ ...line, path: pathOf(ways[index] as Way, passages[index] ?? []) })),
    columns: columns.map((name, at) => ({ name, x: xOf(at) })),
    width: columns.length * (WIDTH + GAP_X) - GAP_X + (hasArcs ? ARC : 0),
    height: Math.max(TOP, ...lowest) + 8,
  };
}

const xOf = (column: number): number => column * (WIDTH + GAP_X);

type Sized = Omit<Placed, 'x' | 'y'>;

function stacked(
  sized: readonly (readonly Sized[])[],
  lanes: (column: number, gap: number) => number,
): Placed[][] {
  return sized.map((boxes, column) => {
    let y = TOP - GAP_Y;
    return boxes.map((box, gap) => {
      y += GAP_Y + lanes(column, gap) * LANE;
      const placed = { ...box, x: xOf(column), y };
      y += box.height;
      return placed;
    });
  });
}

/** From the row where a line begins to the head of the box where it ends. */
function waysOf(lines: readonly Line[], stacks: readonly (readonly Placed[])[]): Way[] {
  const found = new Map(stacks.flatMap((stack, column) => stack.map((box) => [box.key, { box, column }])));
  return lines.map((line) => {
    const from = found.get(line.from) as { box: Placed; column: number };
    const to = found.get(line.to) as { box: Placed; column: number };
    const row = from.box.rows.findIndex(({ label }) => label === line.label);
    const down = row === -1 ? HEAD_HEIGHT / 2 : HEAD_HEIGHT + (row + 0.5) * ROW_HEIGHT;
    return {
      from: { column: from.column, y: from.box.y + down },
      to: { column: to.column, y: to.box.y + HEAD_HEIGHT / 2 },
      // Lines to one box may share a path; overlapping dashed lines would look solid.
      key: line.isDashed ? `${line.from} ${line.to} ${line.label}` : line.to,
    };
  });
}

/** One row for all lines with one label: a queue rings many people. */
function rowsOf(lines: readonly Line[], isBack: (line: Line) => boolean): Row[] {
  const labels = [...new Set(lines.map(({ label }) => label))];
  if (labels.every((label) => label === '')) return [];
  return labels.map((label) => ({
    label,
    isBack: lines.every((line) => line.label !== label || isBack(line)),
  }));
}

/** To the right from side to side, to the left likewise in reverse, and within a column in an arc on its right. */
function pathOf({ from, to }: Way, passages: readonly { readonly x: number; readonly y: number }[]): string {
  const isBack = to.column < from.column;
  const [into, outOf] = isBack ? [WIDTH, 0] : [0, WIDTH];
  let x = xOf(from.column) + outOf;
  let { y } = from;
  let path = `M${x} ${y}`;
  if (from.column === to.column) return `${path} C${x + ARC} ${y} ${x + ARC} ${to.y} ${x} ${to.y}`;
  const bend = isBack ? -ARC : ARC;
  for (const next of passages) {
    path += ` C${x + bend} ${y} ${next.x + into - bend} ${next.y} ${next.x + into} ${next.y} H${next.x + outOf}`;
    x = next.x + outOf;
    y = next.y;
  }
  const end = xOf(to.column) + into;
  return `${path} C${x + bend} ${y} ${end - bend} ${to.y} ${end} ${to.y}`;
}

/** `600` in `Support <600>`; a lone number or word stays as it is. */
export const targetOf = (represent: string): string => /<([^<>]+)>$/.exec(represent)?.[1] ?? represent;
