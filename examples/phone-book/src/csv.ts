/** A row with the line it begins on. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Nobody looks at more, and a file of separators alone must not fill the memory. */
const MAX_CELLS = 100;

/** RFC 4180, with comma or semicolon (whichever the first line has more of) and any line end. No more rows than `most`. */
export function parseCsv(source: string, most = Infinity): CsvRow[] {
  const text = source.replace(/^\uFEFF/, '');
  const [heading = ''] = text.split(/\r?\n/, 1);
  const separator = countOf(';', heading) > countOf(',', heading) ? ';' : ',';
  const ends = new RegExp(`[${separator}\\r\\n]`, 'g');
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let begun = 1;
  for (let at = 0; at <= text.length && rows.length < most; ) {
    let cell = '';
    if (text.charAt(at) === '"') {
      const closed = closingQuote(text, at + 1);
      cell = text.slice(at + 1, closed).replaceAll('""', '"');
      line += countOf('\n', cell);
      at = closed + 1;
    }
    ends.lastIndex = at;
    const end = ends.exec(text)?.index ?? Math.max(at, text.length);
    // Cut out of the text as a whole: to put it together letter by letter takes fifty times its memory.
    if (cells.length < MAX_CELLS) cells.push(cell + text.slice(at, end));
    at = end + 1;
    if (text.charAt(end) === separator) continue;
    if (text.startsWith('\r\n', end)) at++;
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: begun, cells });
    cells = [];
    if (text.charAt(at - 1) === '\n') line++;
    begun = line;
  }
  return rows;
}

/** A doubled one stands for itself. */
function closingQuote(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    if (text.charAt(at + 1) !== '"') return at;
  }
}

/** Without a list of the parts, which a file of separators alone would make larger than the memory of a module. */
function countOf(sought: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) count++;
  return count;
}

/** A text that begins like this would be run as a formula by spreadsheets. */
const FORMULA = /^[=+\-@\t]/;

export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quote).join(',')}\r\n`).join('');

const quote = (cell: string): string => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Written so that it stays a text, and read back as it was. */
export const guarded = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);
export const unguarded = (cell: string): string => (/^'[=+\-@\t]/.test(cell) ? cell.slice(1) : cell);
