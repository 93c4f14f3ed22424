import Type from 'typebox';
import { custom, described, FieldProblem, oneOf, optional, text, withDefault } from '../../../http/fields.ts';
import { MAX_CHANGES } from './employee-batch-changes.ts';
import { FORMATS, type Format } from './employee-csv.ts';
import { createFields } from './employee-fields.ts';
import { ROW_STATUSES, STRATEGIES } from './employee-imports.ts';

const outcome = {
  index: Type.Integer(),
  ok: Type.Boolean(),
  id: Type.String(),
  errors: Type.Array(Type.String()),
};
const results = Type.Array(Type.Object({ ...outcome, number: Type.String() }));
export const BatchAnswer = Type.Object(
  {
    total: Type.Integer(),
    created: Type.Integer(),
    updated: Type.Optional(Type.Integer({ description: 'Only with mode upsert' })),
    failed: Type.Integer(),
    results,
  },
  { $id: 'EmployeeBatch' },
);
export const BatchUpdated = Type.Object(
  { total: Type.Integer(), updated: Type.Integer(), failed: Type.Integer(), results },
  { $id: 'EmployeeBatchUpdate' },
);
export const BatchDeleted = Type.Object(
  {
    total: Type.Integer(),
    deleted: Type.Integer(),
    failed: Type.Integer(),
    results: Type.Array(Type.Object(outcome)),
  },
  { $id: 'EmployeeBatchDeletion' },
);
export const Preview = Type.Object(
  {
    upload_id: Type.String({
      description: 'For `employees:confirmImport`: valid once, for 15 minutes, for the same caller',
    }),
    strategy: Type.String(),
    total: Type.Integer(),
    toCreate: Type.Integer(),
    toUpdate: Type.Integer(),
    toSkip: Type.Integer(),
    toFail: Type.Integer(),
    rows: Type.Array(
      Type.Object({
        line: Type.Integer(),
        number: Type.String(),
        user_username: Type.String(),
        status: Type.Enum([...ROW_STATUSES]),
        errors: Type.Array(Type.String()),
      }),
    ),
  },
  { $id: 'EmployeeImportPreview' },
);
export const Imported = Type.Object(
  {
    total: Type.Integer(),
    imported: Type.Integer(),
    updated: Type.Integer(),
    skipped: Type.Integer(),
    failed: Type.Array(Type.Object({ line: Type.Integer(), errors: Type.Array(Type.String()) })),
  },
  { $id: 'EmployeeImport' },
);

export const batch = custom<unknown[]>(
  {
    type: 'array',
    minItems: 1,
    maxItems: MAX_CHANGES,
    items: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(createFields).map(([name, { schema }]) => [name, schema]),
      ),
      required: ['number'],
    },
  },
  (value) => {
    if (!Array.isArray(value)) throw new FieldProblem('must be a list');
    if (value.length < 1 || value.length > MAX_CHANGES)
      throw new FieldProblem(`1..${MAX_CHANGES} employees (got ${value.length})`);
    return value;
  },
);
export const batchMode = withDefault<'create' | 'validate' | 'upsert'>(
  oneOf(['create', 'validate', 'upsert']),
  'create',
);
export const format = withDefault<Format>(oneOf(FORMATS), 'standard');
export const strategy = described(
  optional(oneOf(STRATEGIES)),
  'What to do with a number that already exists; default: the strategy of the upload, else skip_duplicates',
);
export const uploadId = text({ min: 1, max: 100 });
export const csvText = custom<string>({ type: 'string', description: 'The content of the file' }, (value) => {
  if (typeof value !== 'string') throw new FieldProblem('must be a string');
  return value;
});
const bound = { type: ['string', 'integer'], pattern: '^\\d{0,8}$' };
export const numberBound = optional(
  custom<number | undefined>({ ...bound, description: 'Lowest or highest number to export' }, (value) => {
    if (value === '') return undefined;
    if (!/^\d{1,8}$/.test(String(value))) throw new FieldProblem('must be 1..8 digits');
    return Number(value);
  }),
);
export const filter = custom<{ from?: number; to?: number }>(
  { type: 'object', properties: { number_from: bound, number_to: bound } },
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new FieldProblem('must be an object');
    const edge = (name: 'number_from' | 'number_to') => {
      const sent = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
      if (sent === undefined || sent === null || sent === '') return undefined;
      const number = typeof sent === 'number' ? String(sent) : sent;
      if (typeof number !== 'string' || !/^\d{1,8}$/.test(number))
        throw new FieldProblem(`${name} must be 1..8 digits`);
      return Number(number);
    };
    const [from, to] = [edge('number_from'), edge('number_to')];
    return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  },
);
