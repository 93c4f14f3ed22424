/** What is drawn: boxes in columns, from the called numbers on the left to the people on the right. */
const COLUMNS = ['routes', 'hours', 'menus', 'queues', 'people'] as const;
type ColumnName = (typeof COLUMNS)[number];

export interface Box {
  readonly key: string;
  readonly column: ColumnName;
  readonly title: string;
  readonly note: string;
  /** Address of its screen; nothing for what has none. */
  readonly to: string;
  /** Searched for there. */
  readonly search?: string;
  readonly isOff?: boolean;
}

export interface Line {
  readonly from: string;
  readonly to: string;
  /** When a call takes it, as a row of the box where it begins. */
  readonly label: string;
  /** Only while the line is closed. */
  readonly isDashed?: boolean;
}

export interface Placed extends Box {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** When calls leave it, one below the other; none where there is only one way. */
  readonly rows: readonly Row[];
}

interface Row {
  readonly label: string;
  /** Its lines go back to a column on the left. */
  readonly isBack: boolean;
}

interface DrawnLine extends Line {
  readonly path: string;
}

export const WIDTH = 152;
export const HEAD_HEIGHT = 46;
export const ROW_HEIGHT = 18;
const GAP_X = 60;
const GAP_Y = 14;
const TOP = 34;
const BOTTOM = 5;
/** How far a line goes away from the column that it comes back to. */
const ARC = 36;

/** Puts boxes under each other in their columns, in the order they come, and lines between them. Empty columns are left out. */
export function draw(boxes: readonly Box[], lines: readonly Line[]) {
  const known = new Set(boxes.map(({ key }) => key));
  const drawn = lines.filter(({ from, to }) => known.has(from) && known.has(to) && from !== to);
  const columns = COLUMNS.filter((name) => boxes.some(({ column }) => column === name));
  const placeOf = new Map(boxes.map(({ key, column }) => [key, columns.indexOf(column)]));
  const isBack = ({ from, to }: Line) => (placeOf.get(to) ?? 0) < (placeOf.get(from) ?? 0);
  const placed = new Map<string, Placed>();
  for (const [at, name] of columns.entries()) {
    let y = TOP;
    for (const box of boxes.filter(({ column }) => column === name)) {
      const rows = rowsOf(
        drawn.filter(({ from }) => from === box.key),
        isBack,
      );
      const height = HEAD_HEIGHT + (rows.length === 0 ? 0 : rows.length * ROW_HEIGHT + BOTTOM);
      placed.set(box.key, { ...box, x: at * (WIDTH + GAP_X), y, height, rows });
      y += height + GAP_Y;
    }
  }
  const all = [...placed.values()];
  const last = columns.length - 1;
  const hasArcs = drawn.some(({ from, to }) => placeOf.get(from) === last && placeOf.get(to) === last);
  return {
    boxes: all,
    lines: drawn.map((line) => drawnLine(line, placed, isBack(line))),
    columns: columns.map((name, at) => ({ name, x: at * (WIDTH + GAP_X) })),
    width: columns.length * (WIDTH + GAP_X) - GAP_X + (hasArcs ? ARC : 0),
    height: Math.max(TOP, ...all.map(({ y, height }) => y + height)) + 8,
  };
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

/** To the right from side to side, to the left the other way round, and within a column in an arc on its right. */
function drawnLine(line: Line, placed: ReadonlyMap<string, Placed>, isBack: boolean): DrawnLine {
  const from = placed.get(line.from) as Placed;
  const to = placed.get(line.to) as Placed;
  const row = from.rows.findIndex(({ label }) => label === line.label);
  const startY = from.y + (row === -1 ? HEAD_HEIGHT / 2 : HEAD_HEIGHT + (row + 0.5) * ROW_HEIGHT);
  const endY = to.y + HEAD_HEIGHT / 2;
  const isSame = from.x === to.x;
  const startX = isBack ? from.x : from.x + WIDTH;
  const endX = isBack || isSame ? to.x + WIDTH : to.x;
  const bend = isSame ? ARC : Math.max(ARC, Math.abs(endX - startX) / 2) * (isBack ? -1 : 1);
  const bendTo = isSame ? endX + ARC : endX - bend;
  return {
    ...line,
    path: `M${startX} ${startY} C${startX + bend} ${startY} ${bendTo} ${endY} ${endX} ${endY}`,
  };
}

/** `600` of `Support <600>`; a number or word alone is itself. */
export const targetOf = (represent: string): string => /<([^<>]+)>$/.exec(represent)?.[1] ?? represent;
