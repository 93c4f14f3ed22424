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
  readonly label: string;
}

export interface Placed extends Box {
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

interface DrawnLine extends Line {
  readonly path: string;
  readonly labelX: number;
  readonly labelY: number;
}

export const WIDTH = 152;
const GAP_X = 64;
const GAP_Y = 14;
const LEAST_HEIGHT = 48;
const LINE_HEIGHT = 16;
const TOP = 34;

/** Puts boxes under each other in their columns, in the order they come, and lines between them. Empty columns are left out. */
export function draw(boxes: readonly Box[], lines: readonly Line[]) {
  const known = new Set(boxes.map(({ key }) => key));
  const drawn = lines.filter(({ from, to }) => known.has(from) && known.has(to) && from !== to);
  const columns = COLUMNS.filter((name) => boxes.some(({ column }) => column === name));
  const placed = new Map<string, Placed>();
  for (const [at, name] of columns.entries()) {
    let y = TOP;
    for (const box of boxes.filter(({ column }) => column === name)) {
      const out = drawn.filter(({ from }) => from === box.key).length;
      const height = Math.max(LEAST_HEIGHT, (out + 1) * LINE_HEIGHT);
      placed.set(box.key, { ...box, x: at * (WIDTH + GAP_X), y, height });
      y += height + GAP_Y;
    }
  }
  const all = [...placed.values()];
  return {
    boxes: all,
    lines: drawn.map((line, index) => drawnLine(line, placed, drawn, index)),
    columns: columns.map((name, at) => ({ name, x: at * (WIDTH + GAP_X) })),
    width: columns.length * (WIDTH + GAP_X) - GAP_X,
    height: Math.max(TOP, ...all.map(({ y, height }) => y + height)) + 8,
  };
}

/** Lines of one box leave it one below the other, so that their labels can be read. */
function drawnLine(
  line: Line,
  placed: ReadonlyMap<string, Placed>,
  all: readonly Line[],
  index: number,
): DrawnLine {
  const from = placed.get(line.from) as Placed;
  const to = placed.get(line.to) as Placed;
  const own = all.filter((other) => other.from === line.from);
  const place = own.indexOf(all[index] as Line) + 1;
  const startX = from.x + WIDTH;
  const startY = from.y + (from.height * place) / (own.length + 1);
  const endY = to.y + to.height / 2;
  const bend = Math.max(40, Math.abs(to.x - startX) / 2);
  return {
    ...line,
    path: `M${startX} ${startY} C${startX + bend} ${startY} ${to.x - bend} ${endY} ${to.x} ${endY}`,
    labelX: startX + 4,
    labelY: startY - 3,
  };
}

/** `600` of `Support <600>`; a number or word alone is itself. */
export const targetOf = (represent: string): string => /<([^<>]+)>$/.exec(represent)?.[1] ?? represent;
