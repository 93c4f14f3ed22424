import { csvLine } from '../../lib/csv.ts';
import type { RowRenderer } from '../../store/sql/sql-reader.ts';
import { LEG_FIELDS, type LegRow, legOf } from './leg.ts';

export const CSV_HEADER = csvLine(LEG_FIELDS);

/** Legs of an export (contract 5.6), as they are read from the database. */
export const csvLegs = (rows: readonly LegRow[]): string => {
  let text = '';
  for (const row of rows) {
    const leg = legOf(row);
    text += csvLine(LEG_FIELDS.map((field) => String(leg[field])));
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
