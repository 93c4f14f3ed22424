import Type from 'typebox';
import { holds } from '../../../http/access.ts';
import { callerName } from '../../../http/caller.ts';
import { oneOf, optional, SECRET_MASK, withDefault } from '../../../http/fields.ts';
import { fileAnswer } from '../../../http/file-answer.ts';
import { type Call, type Route, reads, route, writes } from '../../../http/route.ts';
import { MAX_CELL, MAX_COLUMNS } from '../../../lib/csv.ts';
import { InvalidFields } from '../../../lib/errors.ts';
import type { Employee } from './employee.ts';
import { employeeLine, type Format, headerLine, MAX_ROWS, template } from './employee-csv.ts';
import {
  csvText,
  filter,
  format,
  Imported,
  numberBound,
  Preview,
  strategy,
  uploadId,
} from './employee-files.schema.ts';
import type { EmployeeImports, Strategy } from './employee-imports.ts';
import { employeeResource } from './employee-record.ts';
import type { Employees } from './employees.service.ts';
import { PIECE } from './employees.store.ts';

interface EmployeeFileRouteParts {
  readonly employees: Employees;
  readonly imports: EmployeeImports;
}

/** Many employees at once (contract 3.5). */
export function employeeFileRoutes({ employees, imports }: EmployeeFileRouteParts): Route[] {
  const access = writes(employeeResource);

  async function confirm(call: Call, upload: string, chosen: Strategy | undefined) {
    const { verdicts, warnings } = await imports.confirm(upload, chosen, nameOf(call));
    for (const warning of warnings) call.warn(warning);
    const count = (status: string) => verdicts.filter((verdict) => verdict.status === status).length;
    return {
      total: verdicts.length,
      imported: count('new'),
      updated: count('update'),
      skipped: count('duplicate'),
      failed: verdicts
        .filter(({ status }) => status === 'error')
        .map(({ row, errors }) => ({ line: row.line, errors })),
    };
  }

  async function preview(call: Call, csv: string, chosen: Strategy = 'skip_duplicates') {
    const done = await imports.preview(csv, chosen, nameOf(call));
    const { uploadId: id, verdicts, unknownColumns, warnings } = done;
    for (const name of unknownColumns.slice(0, 20)) {
      call.warn(`csv: unknown column ${JSON.stringify(name.slice(0, 64))}, ignored`);
    }
    for (const warning of warnings) call.warn(warning);
    const count = (status: string) => verdicts.filter((verdict) => verdict.status === status).length;
    return {
      upload_id: id,
      strategy: chosen,
      total: verdicts.length,
      toCreate: count('new'),
      toUpdate: count('update'),
      toSkip: count('duplicate'),
      toFail: count('error'),
      rows: verdicts.map(({ row: { line, number, user_username }, status, errors }) => ({
        line,
        number,
        user_username,
        status,
        errors,
      })),
    };
  }

  async function exported(
    wanted: Format,
    range: { from?: number; to?: number },
    withSecrets: boolean,
    acceptEncoding: string | string[] | undefined,
  ) {
    const pieces = employees.all(range);
    const begin = await pieces.next();
    const first = headerLine(wanted) + lines(wanted, begin.done ? [] : begin.value, withSecrets);
    const isAll = begin.done || begin.value.length < PIECE;
    const rest = isAll ? undefined : following(wanted, pieces, withSecrets);
    return fileAnswer({ name: 'employees.csv', type: CSV_TYPE, first, rest }, acceptEncoding);
  }

  return [
    route({
      method: 'POST',
      path: '/employees:export',
      function: 'export',
      storesNothing: true,
      access,
      summary: 'Employees as a CSV file',
      body: { format, filter: withDefault(filter, {}) },
      produces: ['text/csv'],
      handle: ({ body, headers }) => exported(body.format, body.filter, true, headers['accept-encoding']),
    }),
    route({
      method: 'GET',
      path: '/employees:export',
      function: 'export',
      access: reads(employeeResource),
      summary: 'Employees as a CSV file; without secrets for callers who may only read',
      query: { format, number_from: numberBound, number_to: numberBound },
      produces: ['text/csv'],
      handle({ query, headers, caller }) {
        const { number_from: from, number_to: to } = query;
        const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
        const maySee = caller !== undefined && holds(caller, employeeResource.path, 'write');
        return exported(query.format, range, maySee, headers['accept-encoding']);
      },
    }),
    route({
      method: 'POST',
      path: '/employees:exportTemplate',
      function: 'exportTemplate',
      storesNothing: true,
      access,
      summary: 'The header of a CSV file and one sample row',
      body: { format },
      produces: ['text/csv'],
      handle: ({ body, headers }) =>
        fileAnswer(
          { name: 'employees-template.csv', type: CSV_TYPE, first: template(body.format) },
          headers['accept-encoding'],
        ),
    }),
    route({
      method: 'POST',
      path: '/employees:import',
      function: 'import',
      access,
      summary: `Preview the import of a CSV file of up to ${MAX_ROWS} rows; stores nothing`,
      description:
        `A file may have at most ${MAX_COLUMNS} columns and ${MAX_CELL} characters per cell. ` +
        'With `action: "import"` and an `upload_id`, it does the same as `employees:confirmImport`.',
      accepts: { csv: true },
      body: {
        csv: optional(csvText),
        strategy,
        upload_id: optional(uploadId),
        action: optional(oneOf(['preview', 'import'])),
      },
      answer: Type.Union([Preview, Imported]),
      errors: [404],
      async handle(call) {
        const { csv, strategy: chosen, upload_id: upload, action } = call.body;
        if (action === 'import') {
          if (upload === undefined) throw new InvalidFields('upload_id: required');
          return confirm(call, upload, chosen);
        }
        if (csv === undefined) throw new InvalidFields('csv: required');
        return preview(call, csv, chosen);
      },
    }),
    route({
      method: 'POST',
      path: '/employees:confirmImport',
      function: 'confirmImport',
      access,
      summary: 'Import the rows of an upload; invalid rows are skipped and reported',
      body: { upload_id: uploadId, strategy },
      answer: Imported,
      errors: [404],
      handle: (call) => confirm(call, call.body.upload_id, call.body.strategy),
    }),
  ];
}

const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

const lines = (wanted: Format, employees: readonly Employee[], withSecrets: boolean): string =>
  employees
    .map((employee) => (withSecrets ? employee : { ...employee, sip_secret: SECRET_MASK }))
    .map((employee) => employeeLine(wanted, employee))
    .join('');

async function* following(
  wanted: Format,
  pieces: AsyncIterable<Employee[]>,
  withSecrets: boolean,
): AsyncGenerator<string> {
  for await (const piece of pieces) yield lines(wanted, piece, withSecrets);
}

const nameOf = ({ caller }: Call): string => (caller ? callerName(caller) : '');
