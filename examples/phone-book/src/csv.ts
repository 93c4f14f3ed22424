/** A row with the line it begins on. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** RFC 4180, with comma or semicolon (whichever the first line has more of) and any line end. */
export function parseCsv(source: string): CsvRow[] {
  const text = source.replace(/^\uFEFF/, '');
  const [heading = ''] = text.split(/\r?\n/, 1);
  const separator = heading.split(';').length > heading.split(',').length ? ';' : ',';
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let begun = 1;
  const endRow = () => {
    cells.push(cell);
    if (cells.length > 1 || cell !== '') rows.push({ line: begun, cells });
    cells = [];
    cell = '';
  };
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '\n') line++;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text.charAt(i + 1) === '"') cell += text.charAt(i++);
      else quoted = false;
    } else if (character === '"' && cell === '') quoted = true;
    else if (character === separator) {
      cells.push(cell);
      cell = '';
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && text.charAt(i + 1) === '\n') {
        line++;
        i++;
      }
      endRow();
      begun = line;
    } else cell += character;
  }
  endRow();
  return rows;
}

/** A text that begins like this would be run as a formula by spreadsheets. */
const FORMULA = /^[=+\-@\t]/;

export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quote).join(',')}\r\n`).join('');

const quote = (cell: string): string => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Written so that it stays a text, and read back as it was. */
export const guarded = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);
export const unguarded = (cell: string): string => (/^'[=+\-@\t]/.test(cell) ? cell.slice(1) : cell);
