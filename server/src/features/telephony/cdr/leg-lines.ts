import { CSV_LINE_END, csvCell, csvLine } from '../../../lib/csv.ts';
import type { RowRenderer } from '../../../store/sql/sql-reader.ts';
import { LEG_FIELDS, LEG_VALUES } from './leg.ts';

export const CSV_HEADER = csvLine(LEG_FIELDS);

/** A leg of an export (contract 5.6) from its cells, in the order of its fields. Millions of cells: no object per leg. */
export function csvLeg(cells: readonly unknown[]): string {
  let line = '';
  for (let i = 0; i < LEG_VALUES.length; i++)
    line += (i === 0 ? '' : ',') + csvCell(LEG_VALUES[i]!(cells[i]));
  return line + CSV_LINE_END;
}

const KEYS = LEG_FIELDS.map((field, i) => `${i === 0 ? '{' : ','}${JSON.stringify(field)}:`);

/** @public: taken by its name, see below. */
export function ndjsonLeg(cells: readonly unknown[]): string {
  let line = '';
  for (let i = 0; i < LEG_VALUES.length; i++) line += KEYS[i] + jsonValue(LEG_VALUES[i]!(cells[i]));
  return `${line}}\n`;
}

const LINKEDID = LEG_FIELDS.indexOf('linkedid');
/** A leg as JSON, and the call that it belongs to. */
export type LegOfCall = readonly [linkedid: string, json: string];

/** @public: taken by its name, see below. */
export function legOfCall(cells: readonly unknown[]): LegOfCall {
  // As one flat text: what is put together from pieces stays pieces until somebody reads it, and many legs wait here.
  const leg: Record<string, string | number> = {};
  for (let i = 0; i < LEG_VALUES.length; i++) leg[LEG_FIELDS[i] as string] = LEG_VALUES[i]!(cells[i]);
  return [String(cells[LINKEDID]), JSON.stringify(leg)];
}

const PLAIN = /^[\w +./:-]*$/;
const jsonValue = (value: string | number): string =>
  typeof value === 'string' && PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);

const module = import.meta.url;
export const LEG_LINES: Readonly<Record<'csv' | 'ndjson', RowRenderer>> = {
  csv: { module, name: 'csvLeg' },
  ndjson: { module, name: 'ndjsonLeg' },
};
export const LEG_OF_CALL: RowRenderer = { module, name: 'legOfCall' };
