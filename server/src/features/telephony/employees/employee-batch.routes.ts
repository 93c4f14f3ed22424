import { boolean, custom, FieldProblem, withDefault } from '../../../http/fields.ts';
import { type Route, route, writes } from '../../../http/route.ts';
import { createBatch, MAX_BATCH } from './employee-batch.ts';
import { deleteBatch, MAX_CHANGES, updateBatch, upsertBatch } from './employee-batch-changes.ts';
import { patchFields } from './employee-fields.ts';
import { BatchAnswer, BatchDeleted, BatchUpdated, batch, batchMode } from './employee-files.schema.ts';
import { employeeResource } from './employee-record.ts';
import type { Employees } from './employees.service.ts';

const manyOf = (items: object, words: string) =>
  custom<unknown[]>({ type: 'array', minItems: 1, maxItems: MAX_CHANGES, items }, (value) => {
    if (!Array.isArray(value)) throw new FieldProblem('must be a list');
    if (value.length < 1 || value.length > MAX_CHANGES)
      throw new FieldProblem(`1..${MAX_CHANGES} ${words} (got ${value.length})`);
    return value;
  });
const changes = manyOf(
  {
    type: 'object',
    properties: {
      id: { type: ['string', 'integer'] },
      ...Object.fromEntries(Object.entries(patchFields).map(([name, { schema }]) => [name, schema])),
    },
    required: ['id'],
  },
  'employees',
);
const ids = manyOf({ type: ['string', 'integer'], pattern: '^\\d+$' }, 'ids');
const skipErrors = withDefault<boolean>(boolean, false);
const ALL_OR_NOTHING =
  'If an entry is invalid and `skip_errors` is not set, nothing is stored and the answer is the error of the first invalid entry.';

/** Several employees in one step (contract 3.5, 17.12). */
export function employeeBatchRoutes({ employees }: { readonly employees: Employees }): Route[] {
  const access = writes(employeeResource);

  return [
    route({
      method: 'POST',
      path: '/employees:batchCreate',
      function: 'batchCreate',
      access,
      summary: `Create or validate up to ${MAX_BATCH} employees; with \`mode: "upsert"\` create or change up to ${MAX_CHANGES}`,
      description:
        'With `mode: "upsert"`, an employee whose number exists is changed as by PATCH; any other is created. ' +
        ALL_OR_NOTHING,
      body: { employees: batch, mode: batchMode, skip_errors: skipErrors },
      check: ({ employees: sent, mode }) =>
        mode !== 'upsert' && Array.isArray(sent) && sent.length > MAX_BATCH && sent.length <= MAX_CHANGES
          ? [
              `employees: 1..${MAX_BATCH} employees (got ${sent.length}), up to ${MAX_CHANGES} with mode upsert`,
            ]
          : [],
      answer: BatchAnswer,
      errors: [409, 422],
      async handle({ body: { employees: sent, mode, skip_errors: skip }, warn }) {
        const done =
          mode === 'upsert'
            ? await upsertBatch(employees, { sent, skipErrors: skip })
            : await createBatch(employees, { employees: sent, mode, skipErrors: skip });
        const { results, created, warnings } = done;
        for (const warning of warnings) warn(warning);
        const failed = results.filter(({ ok }) => !ok).length;
        const updated = 'updated' in done ? { updated: done.updated } : {};
        return { total: results.length, created, ...updated, failed, results };
      },
    }),
    route({
      method: 'POST',
      path: '/employees:batchUpdate',
      function: 'batchUpdate',
      access,
      summary: `Change the sent fields of up to ${MAX_CHANGES} employees`,
      description: `Each entry names its employee by \`id\`. ${ALL_OR_NOTHING}`,
      body: { employees: changes, skip_errors: skipErrors },
      answer: BatchUpdated,
      errors: [404, 409, 422],
      async handle({ body, warn }) {
        const request = { sent: body.employees, skipErrors: body.skip_errors };
        const { results, updated, warnings } = await updateBatch(employees, request);
        for (const warning of warnings) warn(warning);
        return { total: results.length, updated, failed: results.length - updated, results };
      },
    }),
    route({
      method: 'POST',
      path: '/employees:batchDelete',
      function: 'batchDelete',
      access,
      summary: `Delete up to ${MAX_CHANGES} employees; warnings name those who forward to their numbers`,
      description: ALL_OR_NOTHING,
      body: { ids, skip_errors: skipErrors },
      answer: BatchDeleted,
      errors: [404, 409],
      async handle({ body, warn }) {
        const request = { sent: body.ids, skipErrors: body.skip_errors };
        const { results, deleted, warnings } = await deleteBatch(employees, request);
        for (const warning of warnings) warn(warning);
        return { total: results.length, deleted, failed: results.length - deleted, results };
      },
    }),
  ];
}
