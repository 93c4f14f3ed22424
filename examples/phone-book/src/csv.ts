/** A row and the line on which it begins. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** More cells are ignored: a file of separators alone must not fill the memory. */
const MAX_CELLS = 100;

/** RFC 4180, with comma or semicolon (the more frequent in the first line) and any line end. Limited to `most` rows. */
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
    // Sliced in one piece: appending letter by letter takes fifty times the memory.
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

/** A doubled quote is part of the text. */
function closingQuote(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    if (text.charAt(at + 1) !== '"') return at;
  }
}

/** Without `split`: for a file of separators alone, its array would exceed the memory of a module. */
function countOf(sought: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) count++;
  return count;
}

/** Spreadsheets would run a text with such a beginning as a formula. */
const FORMULA = /^[=+\-@\t]/;

export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quote).join(',')}\r\n`).join('');

const quote = (cell: string): string => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Marks a formula as text, and reverses that when reading. */
export const guarded = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);
export const unguarded = (cell: string): string => (/^'[=+\-@\t]/.test(cell) ? cell.slice(1) : cell);
