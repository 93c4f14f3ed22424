import { CSV_LINE_END, csvCell, csvLine } from '../../../lib/csv.ts';
import type { RowRenderer } from '../../../store/sql/sql-reader.ts';
import { CALL_FIELDS } from './call.ts';
import { COUNTED, LEG_FIELDS, LEG_VALUES } from './leg.ts';

export const CSV_HEADER = csvLine(LEG_FIELDS);

/** A leg of an export (contract 5.6) from its cells, in the order of its fields. Creates no object per leg. */
export function csvLeg(cells: readonly unknown[]): string {
  let line = '';
  for (let i = 0; i < LEG_VALUES.length; i++)
    line += (i === 0 ? '' : ',') + csvCell(LEG_VALUES[i]!(cells[i]));
  return line + CSV_LINE_END;
}

/** @public: taken by its name, as those below. */
export const textLine = ([text]: readonly unknown[]): string => `${text}\n`;

/** @public */
export const legLine = ([leg]: readonly unknown[]): string => `${objectOf(LEG_KEYS, inside(leg, 2))}}\n`;

/** @public */
export function callLine([call, records]: readonly unknown[]): string {
  const legs = records === '[]' ? [] : inside(records, 3).split('"],["');
  let line = '';
  for (const leg of legs) line += `${line === '' ? '' : ','}${objectOf(LEG_KEYS, leg)}}`;
  return `${objectOf(CALL_KEYS, inside(call, 2))},"records":[${line}]}\n`;
}

const inside = (list: unknown, brackets: number): string => String(list).slice(brackets, -brackets);

/** Turns the texts of a list into the values of an object. No text contains the separator: its quotes are escaped. */
function objectOf({ before, last }: Keys, list: string): string {
  const values = list.split('","');
  let text = '';
  for (let i = 0; i < values.length; i++) text += before[i] + (values[i] as string);
  return text + last;
}

interface Keys {
  /** The text before each value, including the quote that ends the previous one. */
  readonly before: readonly string[];
  readonly last: string;
}

function keysOf(fields: readonly string[], isNumber: (field: string) => boolean): Keys {
  const quote = (field: string | undefined) => (field === undefined || isNumber(field) ? '' : '"');
  const before = fields.map((field, i) => {
    const start = i === 0 ? '{' : `${quote(fields[i - 1])},`;
    return `${start}${JSON.stringify(field)}:${quote(field)}`;
  });
  return { before, last: quote(fields.at(-1)) };
}

const LEG_KEYS = keysOf(LEG_FIELDS, (field) => COUNTED.has(field as 'id'));
const CALL_KEYS = keysOf(
  CALL_FIELDS.map(([field]) => field),
  (field) => field.startsWith('total'),
);

const renderer = (name: string): RowRenderer => ({ module: import.meta.url, name });
export const LINES = {
  csvLeg: renderer('csvLeg'),
  textLine: renderer('textLine'),
  legLine: renderer('legLine'),
  callLine: renderer('callLine'),
};
