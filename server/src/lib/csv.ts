/** CSV according to RFC 4180: writes CRLF; reads any line end and any of the usual delimiters. */

export class CsvProblem extends Error {}

export interface CsvRow {
  /** The line on which the row begins; the first line of the file is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Most cells: without any character that is special in a spreadsheet or in CSV. */
const PLAIN = /^(?:\+?\d+|\w(?:[\w ./:-]*\w)?)?$/;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

export const CSV_LINE_END = '\r\n';

/** One line with its end. Cells that a spreadsheet would run as a formula become plain text. */
export const csvLine = (cells: readonly string[]): string => cells.map(csvCell).join(',') + CSV_LINE_END;

export function csvCell(cell: string | number): string {
  if (typeof cell === 'number' && cell >= 0) return String(cell);
  const text = String(cell);
  return text === '' || PLAIN.test(text) ? text : quoted(neutralised(text));
}

const quoted = (cell: string): string => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * Adds a leading `'` to what spreadsheets take for a formula, but not to a plain phone number (contract 3.5). A cell
 * that already begins so gets another one, so that `restored` returns every cell unchanged.
 */
export const neutralised = (cell: string): string =>
  /^'*[=+\-@\t\r]/.test(cell) && !/^\+\d+$/.test(cell) ? `'${cell}` : cell;

/** The cell as it was before `neutralised`. */
export const restored = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);

/** More than in any file people make; a larger one is refused at that point, and the rest is not read. */
export const MAX_COLUMNS = 200;
export const MAX_CELL = 10_000;
const MAX_BLANK_LINES = 10_000;
/** The column names that reveal the delimiter are at the beginning. */
const LOOKED_AT = 64 * 1024;

/** Excel names the delimiter in a line before the header. */
const SEPARATOR_LINE = /^sep=([,;\t])(?:\r\n|\r|\n)/i;

/** The delimiter that the file declares, or that splits the first line into the most of `names` (lower case). */
export function detectDelimiter(text: string, names: ReadonlySet<string>): string {
  const named = SEPARATOR_LINE.exec(withoutMark(text))?.[1];
  if (named) return named;
  const [header = ''] = withoutMark(text)
    .slice(0, LOOKED_AT)
    .split(/[\r\n]/, 1);
  const plain = (cell: string) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim()
      .toLowerCase();
  const [best] = [',', ';', '\t']
    .map((delimiter) => ({
      delimiter,
      hits: header.split(delimiter, MAX_COLUMNS).filter((cell) => names.has(plain(cell))).length,
    }))
    .sort((a, b) => b.hits - a.hits);
  return best?.delimiter ?? ',';
}

/**
 * Rows of a text without blank lines; cells keep their white space. Throws `CsvProblem` for invalid CSV, and as soon as
 * `maxRows` or a bound above is exceeded.
 */
export function parseCsv(
  text: string,
  { delimiter, maxRows }: { delimiter: string; maxRows: number },
): CsvRow[] {
  const source = withoutMark(text);
  const plain = new RegExp(`[^${delimiter}"\\r\\n]{0,${MAX_CELL + 1}}`, 'y');
  const rows: CsvRow[] = [];
  let at = SEPARATOR_LINE.exec(source)?.[0].length ?? 0;
  let line = at > 0 ? 2 : 1;
  let blank = 0;

  while (at < source.length) {
    const row = { line, cells: readRow() };
    if (row.cells.length === 1 && row.cells[0] === '') {
      if (++blank > MAX_BLANK_LINES) throw new CsvProblem(`at most ${MAX_BLANK_LINES} blank lines`);
    } else if (rows.push(row) > maxRows) {
      throw new CsvProblem(`at most ${maxRows - 1} rows below the header`);
    }
  }
  return rows;

  function readRow(): string[] {
    const cells = [readCell()];
    while (source[at] === delimiter) {
      if (cells.length === MAX_COLUMNS) throw new CsvProblem(`line ${line}: at most ${MAX_COLUMNS} columns`);
      at++;
      cells.push(readCell());
    }
    if (source[at] === '\r') at++;
    if (source[at] === '\n') at++;
    line++;
    return cells;
  }

  function readCell(): string {
    if (source[at] === '"') return readQuoted();
    plain.lastIndex = at;
    const cell = plain.exec(source)?.[0] ?? '';
    if (cell.length > MAX_CELL) throw tooLong(line);
    at += cell.length;
    if (source[at] === '"') throw new CsvProblem(`line ${line}: there is a quote inside an unquoted cell`);
    return cell;
  }

  function readQuoted(): string {
    const began = line;
    const from = at + 1;
    let doubled = 0;
    for (at = from; ; at++) {
      if (at - from - doubled > MAX_CELL) throw tooLong(began);
      if (at >= source.length) throw new CsvProblem(`line ${began}: a quote is not closed`);
      const sign = source[at];
      if (sign === '\n' || (sign === '\r' && source[at + 1] !== '\n')) line++;
      if (sign !== '"') continue;
      if (source[at + 1] !== '"') break;
      doubled++;
      at++;
    }
    const cell = source.slice(from, at);
    at++;
    if (at < source.length && !`${delimiter}\r\n`.includes(source[at] as string))
      throw new CsvProblem(`line ${line}: text follows a closing quote`);
    return doubled > 0 ? cell.replaceAll('""', '"') : cell;
  }
}

const tooLong = (line: number) => new CsvProblem(`line ${line}: at most ${MAX_CELL} characters in a cell`);

const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);
