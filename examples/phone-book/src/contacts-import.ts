import { invalid, type JsonObject, type RecordStore } from '@pbxcore/module';
import { type CsvRow, parseCsv, unguarded } from './csv.js';

export const COLUMNS = ['name', 'number', 'company', 'note'] as const;
type Column = (typeof COLUMNS)[number];

export interface ImportReport {
  created: number;
  updated: number;
  readonly errors: { line: number; reason: string }[];
  /** The number of all errors, if not all are listed. */
  errorCount?: number;
}

/** Contacts written at a time; other requests run in between. */
const AT_ONCE = 1_000;
const MAX_ROWS = 50_000;
/** Errors listed for one file: the size of an answer is limited too. */
const MAX_ERRORS = 1_000;

/** Each row creates a contact, or changes the one with its number. Bad rows are reported; the others are imported. */
export async function importContacts(
  contacts: RecordStore,
  csv: string,
  normalise: (number: string) => string | undefined,
): Promise<ImportReport> {
  const rows = parseCsv(csv, MAX_ROWS + 2);
  const places = readHeading(rows.shift());
  if (rows.length > MAX_ROWS) throw invalid(`csv: at most ${MAX_ROWS} rows, and this has more`);
  const known = await idsByNumber(contacts);
  const report: ImportReport = { created: 0, updated: 0, errors: [] };
  const fail = (line: number, reason: string) => void report.errors.push({ line, reason });

  // The last row with a number counts, as if the file were imported line by line.
  const wanted = new Map<string, { line: number; fields: JsonObject }>();
  for (const { line, cells } of rows) {
    const cell = (column: Column) => unguarded(cells[places.get(column) ?? -1]?.trim() ?? '');
    const number = normalise(cell('number'));
    if (number === undefined)
      fail(line, `number: "${cell('number').slice(0, 50)}" is not a telephone number`);
    else wanted.set(number, { line, fields: { ...given(cell, places), number } });
  }
  const changes = [...wanted].map(([number, { line, fields }]) => {
    const id = known.get(number);
    return { line, change: id === undefined ? { fields } : { id, fields } };
  });
  for (let i = 0; i < changes.length; i += AT_ONCE) {
    const part = changes.slice(i, i + AT_ONCE);
    const outcomes = await contacts.save(part.map(({ change }) => change));
    part.forEach(({ line, change }, place) => {
      const outcome = outcomes[place];
      if (outcome?.status !== undefined) fail(line, outcome.reasons.join('; '));
      else report['id' in change ? 'updated' : 'created']++;
    });
  }
  report.errors.sort((a, b) => a.line - b.line);
  if (report.errors.length <= MAX_ERRORS) return report;
  return { ...report, errors: report.errors.slice(0, MAX_ERRORS), errorCount: report.errors.length };
}

function readHeading(heading: CsvRow | undefined): Map<Column, number> {
  const titles = heading?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const places = new Map(
    COLUMNS.flatMap((column) => (titles.includes(column) ? [[column, titles.indexOf(column)]] : [])),
  );
  if (!places.has('name') || !places.has('number'))
    throw invalid(
      `csv: the first line must name the columns: ${COLUMNS.join(',')} (name and number are needed)`,
    );
  return places;
}

/** Only columns that the file has; an empty cell empties the field, but the name is never emptied. */
const given = (cell: (column: Column) => string, places: Map<Column, number>): JsonObject =>
  Object.fromEntries(COLUMNS.filter((column) => places.has(column)).map((column) => [column, cell(column)]));

async function idsByNumber(contacts: RecordStore): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for await (const contact of contacts.each()) ids.set(String(contact.number), String(contact.id));
  return ids;
}
