import Type, { type Static } from 'typebox';
import type { Input } from '../../../http/fields.ts';
import { custom, described, FieldProblem, oneOf, optional, text } from '../../../http/fields.ts';
import { pageFields } from '../../../http/page.ts';
import { type Call, digits, type Route, reads, route, writes } from '../../../http/route.ts';
import { replaceWith } from '../../../lib/target.ts';
import { readInstantOrEarlier } from '../../../lib/zoned-time.ts';
import { AVATAR_IGNORED } from './employee-batch.ts';
import { createFields, patchFields, putFields, ringProblems } from './employee-fields.ts';
import type { SortKey } from './employee-list.ts';
import { employeeResource, type ToEmployeeRecord, toFullItem, toListItem } from './employee-record.ts';
import { EMPLOYEE_RESPONSE_FIELDS, EmployeeList, EmployeeRecord } from './employees.schema.ts';
import type { Employees, Saved } from './employees.service.ts';

/** Both spellings of each name that clients use (contract 3.2). */
const SORT_KEYS: ReadonlyMap<string, SortKey> = new Map([
  ['number', 'number_key'],
  ['user_username', 'name_key'],
  ['username', 'name_key'],
  ['user_email', 'email_key'],
  ['email', 'email_key'],
  ['mobile', 'mobile_key'],
]);

const sortName = optional(
  custom<string>(
    {
      type: 'string',
      enum: [...SORT_KEYS.keys()],
      description: 'Field to sort by; any other value means the name',
    },
    String,
  ),
);
const sortWay = optional(
  custom<string>(
    { type: 'string', enum: ['asc', 'desc'], description: '`asc` or `desc`, ignoring case' },
    (value) => String(value).toLowerCase(),
  ),
);
const listQuery = (timezone: string) => ({
  ...pageFields,
  updatedSince: optional(
    custom<number>(
      {
        type: 'string',
        description:
          'Only employees created or changed at this time or later; send the `updated_at` of the newest employee you know',
        examples: ['2026-03-01T00:00:00+01:00'],
      },
      (value) => {
        const at = readInstantOrEarlier(String(value), timezone);
        if (at === undefined) throw new FieldProblem('must have the format YYYY-MM-DDTHH:MM:SS');
        return at;
      },
    ),
  ),
  fields: described(optional(oneOf(['full'])), '`full`: items with all fields except the secret'),
  deletedSince: optional(
    custom<number>(
      {
        type: 'integer',
        minimum: 0,
        description:
          'Return the ids of employees deleted after this position, at most 90 days ago, instead of employees. Start ' +
          'with 0, then send `deleted.cursor`. Of the other parameters only `limit` counts',
      },
      (value) => {
        if (!/^\d{1,15}$/.test(String(value))) throw new FieldProblem('must be an integer, at least 0');
        return Math.min(Number(value), 2 ** 31 - 1);
      },
    ),
  ),
  search: described(
    optional(text({ max: 255 })),
    'Text contained in name, number, e-mail or mobile number, ignoring case. The prefixes `id:` and `number:` ask for the exact value, ' +
      '`email:` and `mobile:` search only that field',
  ),
  order: sortName,
  orderWay: sortWay,
  order_by: sortName,
  order_direction: sortWay,
});

interface EmployeeRouteParts {
  readonly employees: Employees;
  readonly toRecord: ToEmployeeRecord;
  readonly timezone: string;
}

const DELETIONS_AT_ONCE = 1000;

export function employeeRoutes({ employees, toRecord, timezone }: EmployeeRouteParts): Route[] {
  const shared = {
    id: digits,
    find: employees.find,
    ignoredFields: EMPLOYEE_RESPONSE_FIELDS,
    answer: EmployeeRecord,
  } as const;
  const read = reads(employeeResource);
  const write = writes(employeeResource);

  function told(
    { warn, inform, caller }: Call,
    { employee, warnings, infos }: Saved,
  ): Static<typeof EmployeeRecord> {
    for (const warning of warnings) warn(warning);
    for (const info of infos) inform(info);
    return toRecord(employee, caller);
  }

  async function deletions(since: number, limit = DELETIONS_AT_ONCE, warn: Call['warn']) {
    const { isIncomplete, ...deleted } = await employees.deletedSince(since, limit);
    if (isIncomplete) warn('deletedSince: some deletions are no longer known, read all employees again');
    return { data: [], recordsTotal: await employees.count(), recordsFiltered: 0, deleted };
  }

  return [
    route({
      method: 'GET',
      path: '/employees',
      function: 'getList',
      access: read,
      summary: 'List or search employees',
      query: listQuery(timezone),
      answer: EmployeeList,
      async handle({ query, caller, warn }) {
        const { order, orderWay, order_by, order_direction, fields, deletedSince, ...page } = query;
        if (deletedSince !== undefined) return deletions(deletedSince, page.limit, warn);
        const sort = SORT_KEYS.get(order ?? order_by ?? '');
        const wanted = {
          ...page,
          order: sort ?? 'name_key',
          descending: sort !== undefined && (orderWay ?? order_direction) === 'desc',
        };
        if (fields === 'full') {
          const { rows, total, filtered } = await employees.listWhole(wanted);
          const data = rows.map((row) => toFullItem(toRecord(row, caller)));
          return { data, recordsTotal: total, recordsFiltered: filtered };
        }
        const { rows, total, filtered } = await employees.list(wanted);
        return { data: rows.map(toListItem), recordsTotal: total, recordsFiltered: filtered };
      },
    }),
    route({
      method: 'GET',
      path: '/employees:getDefault',
      function: 'getDefault',
      access: read,
      summary: 'A new employee with a free number, a random secret and the defaults; not stored',
      answer: EmployeeRecord,
      handle: async ({ caller }) => toRecord({ id: '', ...(await employees.defaults()) }, caller),
    }),
    route({
      method: 'POST',
      path: '/employees',
      function: 'create',
      access: write,
      summary: 'Create an employee',
      status: 201,
      body: createFields,
      check: (sent) => ringProblems(sent),
      ignoredFields: EMPLOYEE_RESPONSE_FIELDS,
      answer: EmployeeRecord,
      errors: [409, 422],
      handle: async (call) => told(call, await employees.create(withoutAvatar(call))),
    }),
    route({
      method: 'GET',
      path: '/employees/{id}',
      function: 'getRecord',
      access: read,
      summary: 'Read an employee',
      ...shared,
      handle: ({ found, caller }) => toRecord(found, caller),
    }),
    route({
      method: 'PUT',
      path: '/employees/{id}',
      function: 'update',
      access: write,
      summary: 'Replace an employee; an absent field returns to its default, an absent secret is kept',
      body: putFields,
      check: (sent) => ringProblems(sent),
      errors: [409, 422],
      ...shared,
      handle: async (call) => told(call, await employees.replace(call.found.id, withoutAvatar(call))),
    }),
    route({
      method: 'PATCH',
      path: '/employees/{id}',
      function: 'patch',
      access: write,
      summary: 'Change the sent fields of an employee',
      description:
        'Clearing `mobile_number` clears `mobile_dialstring`. Clearing `fwd_forwarding` sets `fwd_ringlength` to 0; setting it ' +
        'without a ring length sets 45 when the stored one is outside 3..180.',
      body: patchFields,
      check: (sent, found) => ringProblems(sent, found.fwd_forwarding),
      errors: [409, 422],
      ...shared,
      handle: async (call) => told(call, await employees.patch(call.found.id, withoutAvatar(call))),
    }),
    route({
      method: 'DELETE',
      path: '/employees/{id}',
      function: 'delete',
      access: write,
      summary: 'Delete an employee; a warning names those who forward to the number',
      description:
        '409 while routes, menus, queues or off-work rules send calls to the number, unless `replaceWith` names a new target for ' +
        'these calls. The employee is removed from all queues.',
      ...shared,
      query: { replaceWith },
      errors: [409],
      answer: Type.Object({ deleted_id: Type.String() }),
      async handle({ found, query, warn, inform }) {
        const { warnings, infos } = await employees.delete(found, query.replaceWith);
        for (const warning of warnings) warn(warning);
        for (const info of infos) inform(info);
        return { deleted_id: String(found.id) };
      },
    }),
  ];
}

/** Pictures are not kept; a record sent back after reading has an empty one. */
function withoutAvatar<B extends Input<typeof patchFields>>({ body, warn }: Call<B>): Omit<B, 'user_avatar'> {
  const { user_avatar: avatar, ...fields } = body;
  if (avatar) warn(AVATAR_IGNORED);
  return fields;
}
