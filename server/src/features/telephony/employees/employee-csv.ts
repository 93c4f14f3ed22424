import { type Field, readFields, SECRET_MASK } from '../../../http/fields.ts';
import { CsvProblem, type CsvRow, csvLine, detectDelimiter, parseCsv, restored } from '../../../lib/csv.ts';
import { InvalidFields } from '../../../lib/errors.ts';
import type { Employee, EmployeeChange } from './employee.ts';
import {
  DEFAULTS,
  type EmployeeFields,
  employeeFields,
  patchFields,
  putFields,
  ringProblems,
} from './employee-fields.ts';
import { EMPLOYEE_RESPONSE_FIELDS } from './employees.schema.ts';

export const FORMATS = ['minimal', 'standard', 'full'] as const;
export type Format = (typeof FORMATS)[number];
type Column = keyof EmployeeFields;

const MINIMAL: readonly Column[] = ['number', 'user_username', 'user_email', 'mobile_number'];
const EARLIER_STANDARD: readonly Column[] = [
  ...MINIMAL,
  'sip_transport',
  'sip_dtmfmode',
  'sip_enableRecording',
  'sip_networkfilterid',
  'fwd_ringlength',
  'fwd_forwarding',
  'fwd_forwardingonbusy',
  'fwd_forwardingonunavailable',
];
const STANDARD: readonly Column[] = [...EARLIER_STANDARD, 'outgoing_callerid', 'call_class'];
const FULL: readonly Column[] = [
  ...EARLIER_STANDARD,
  'sip_secret',
  'sip_manualattributes',
  'mobile_dialstring',
  'sip_media_encryption',
  'outgoing_callerid',
  'call_class',
];
const LATER = (Object.keys(employeeFields) as Column[]).filter((name) => !FULL.includes(name));
/** Contract 3.5. A field added later is a column of full files, after those that were there before. */
const COLUMNS: Readonly<Record<Format, readonly Column[]>> = {
  minimal: MINIMAL,
  standard: STANDARD,
  full: [...FULL, ...LATER],
};

export const headerLine = (format: Format): string => csvLine(COLUMNS[format]);

export const employeeLine = (format: Format, employee: EmployeeFields): string =>
  csvLine(COLUMNS[format].map((column) => String(employee[column])));

const SAMPLE: EmployeeFields = {
  ...DEFAULTS,
  number: '201',
  user_username: 'Anna Example',
  sip_secret: 'at-least-five-characters',
  user_email: 'anna@example.org',
  mobile_number: '+4930123456',
};

export const template = (format: Format): string => headerLine(format) + employeeLine(format, SAMPLE);

export const MAX_ROWS = 1000;
const NAMES: ReadonlyMap<string, Column> = new Map(COLUMNS.full.map((name) => [name.toLowerCase(), name]));
/** An empty cell means "not sent", except where a value is required or empty by default. */
const MAY_BE_EMPTY = new Set<string>(
  Object.entries<Field<unknown>>(putFields)
    .filter(([, { required, fallback }]) => required || fallback?.() === '')
    .map(([name]) => name),
);

/** A row of a file. With `errors` it cannot be used whatever is stored. */
export interface ImportRow {
  readonly line: number;
  readonly number: string;
  readonly user_username: string;
  readonly change: EmployeeChange & Pick<Employee, 'number' | 'user_username'>;
  readonly errors: readonly string[];
  /** Errors only if nobody has the number yet. */
  readonly errorsIfNew: readonly string[];
}

/** Reads a file; a problem of no particular row is one of the field `csv`. */
export function readEmployeeCsv(text: string): { rows: ImportRow[]; unknownColumns: string[] } {
  const parsed = parseText(text);
  const [header, ...body] = parsed;
  if (!header) throw new InvalidFields('csv: is empty');
  const names = header.cells.map((cell) => restored(cell).trim());
  const columns = names.map((name) => NAMES.get(name.toLowerCase()));
  const known = columns.filter((column) => column !== undefined);
  const problems = (['number', 'user_username'] as const)
    .filter((name) => !known.includes(name))
    .map((name) => `csv: column ${name} is missing`);
  if (new Set(known).size < known.length) problems.push('csv: a column appears twice');
  if (problems.length > 0) throw new InvalidFields(problems);
  const firstLines = new Map<string, number>();
  return {
    rows: body.map((row) => readRow(row, columns, firstLines)),
    unknownColumns: names.filter(
      (name, i) => name && !columns[i] && !EMPLOYEE_RESPONSE_FIELDS.includes(name),
    ),
  };
}

function parseText(text: string): CsvRow[] {
  try {
    const delimiter = detectDelimiter(text, new Set(NAMES.keys()));
    return parseCsv(text, { delimiter, maxRows: MAX_ROWS + 1 });
  } catch (error) {
    if (error instanceof CsvProblem) throw new InvalidFields(`csv: ${error.message}`);
    throw error;
  }
}

function readRow(
  { line, cells }: CsvRow,
  columns: readonly (Column | undefined)[],
  firstLines: Map<string, number>,
): ImportRow {
  const sent: Record<string, string> = {};
  for (const [i, column] of columns.entries()) {
    if (!column) continue;
    const cell = restored(cells[i] ?? '');
    if (cell !== '' || MAY_BE_EMPTY.has(column)) sent[column] = cell;
  }
  const errors = cells.length > columns.length ? ['row: more cells than columns'] : [];
  let change = { number: '', user_username: '' } as ImportRow['change'];
  try {
    change = readFields(patchFields, sent).values as ImportRow['change'];
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error;
    errors.push(...error.reasons);
  }
  errors.push(...ringProblems(sent));
  const first = firstLines.get(change.number);
  if (first !== undefined) errors.push(`number: line ${first} has it already`);
  else if (change.number) firstLines.set(change.number, line);
  // Contract 3.4: the mask stands for a stored secret.
  const errorsIfNew = sent.sip_secret === SECRET_MASK ? [`sip_secret: ${SECRET_MASK} is not a secret`] : [];
  const shown = (text = '') => text.slice(0, 100).toWellFormed();
  return {
    line,
    number: shown(sent.number),
    user_username: shown(sent.user_username),
    change,
    errors,
    errorsIfNew,
  };
}
