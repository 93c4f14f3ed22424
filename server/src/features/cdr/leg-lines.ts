import { CSV_LINE_END, csvCell, csvLine } from '../../lib/csv.ts';
import type { RowRenderer } from '../../store/sql/sql-reader.ts';
import { LEG_FIELDS, type LegRow, legOf, legValue } from './leg.ts';

export const CSV_HEADER = csvLine(LEG_FIELDS);

/** Legs of an export (contract 5.6), as they are read from the database. Millions of cells: no object per leg. */
export const csvLegs = (rows: readonly LegRow[]): string => {
  let text = '';
  for (const row of rows) {
    let separator = '';
    for (const field of LEG_FIELDS) {
      text += separator + csvCell(legValue(row, field));
      separator = ',';
    }
    text += CSV_LINE_END;
  }
  return text;
};

/** @public: taken by its name, see below. */
export const ndjsonLegs = (rows: readonly LegRow[]): string =>
  rows.map((row) => `${JSON.stringify(legOf(row))}\n`).join('');

const module = import.meta.url;
export const LEG_LINES: Readonly<Record<'csv' | 'ndjson', RowRenderer>> = {
  csv: { module, name: 'csvLegs' },
  ndjson: { module, name: 'ndjsonLegs' },
};
