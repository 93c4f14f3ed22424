import { readFields } from '../../../http/fields.ts';
import { Conflict, type Failure, InvalidFields, NotFound, RuleBroken } from '../../../lib/errors.ts';
import type { NumberDesk } from '../directory/number-desk.ts';
import { filterProblems, refusal, secretWarnings } from './employee.ts';
import { createFields, type EmployeeFields, ringProblems } from './employee-fields.ts';
import { EMPLOYEE_RESPONSE_FIELDS } from './employees.schema.ts';
import type { Employees } from './employees.service.ts';
import { createNumberConflicts } from './number-conflicts.ts';

export const MAX_BATCH = 20;

export interface BatchResult {
  readonly index: number;
  readonly number: string;
  readonly ok: boolean;
  readonly id: string;
  readonly errors: readonly string[];
}

export interface BatchRequest {
  readonly employees: readonly unknown[];
  readonly mode: 'create' | 'validate';
  readonly skipErrors: boolean;
}

type Read = { fields: EmployeeFields; warnings: string[] } | { failure: Failure };

/** One employee as POST would read it. */
export function readEmployee(sent: unknown): Read {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return { failure: new InvalidFields('must be an object') };
  }
  const record = sent as Record<string, unknown>;
  const problems = ringProblems(record);
  try {
    const { values, unknown } = readFields(createFields, record);
    const { user_avatar: avatar, ...fields } = values;
    if (problems.length > 0) return { failure: new InvalidFields(problems) };
    return { fields, warnings: [...ignoredWarnings(unknown, avatar), ...secretWarnings(fields)] };
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error;
    return { failure: new InvalidFields([...error.reasons, ...problems]) };
  }
}

export function ignoredWarnings(unknown: readonly string[], avatar: unknown): string[] {
  const ignored = unknown.filter((name) => !EMPLOYEE_RESPONSE_FIELDS.includes(name));
  const warnings = ignored.map(
    (name) => `${JSON.stringify(name.slice(0, 64)).slice(1, -1)}: unknown field, ignored`,
  );
  return avatar ? [...warnings, AVATAR_IGNORED] : warnings;
}

export const AVATAR_IGNORED = 'user_avatar: ignored, pictures are not kept';

/** Several creates in one step (contract 3.5). */
export async function createBatch(
  employees: Employees,
  { employees: sent, mode, skipErrors }: BatchRequest,
): Promise<{ results: BatchResult[]; created: number; warnings: string[] }> {
  const reads = sent.map(readEmployee);
  const lookups = await Promise.all(
    reads.map(async (read) => ('fields' in read ? employees.warningsOf(read.fields) : [])),
  );
  const readable = reads.flatMap((read) => ('fields' in read ? [read.fields] : []));
  const filters = await employees.filtersFor(readable);
  const look = await employees.lookAtForwards();
  const judge = async (desk: NumberDesk) => {
    const conflicts = await createNumberConflicts(desk, readable);
    return reads.map((read) => {
      if ('failure' in read) return read.failure;
      const problems = filterProblems(read.fields, filters);
      if (problems.length > 0) return new InvalidFields(problems);
      const failure = refusal(read.fields, conflicts.failure(read.fields));
      if (!failure) conflicts.give(read.fields, undefined);
      return failure;
    });
  };
  const store = () =>
    employees.write(async (writer) => {
      const failures = await judge(writer.desk);
      const first = failures.find((failure) => failure !== undefined);
      if (first && !skipErrors) throw together(first, failures);
      const good = reads.flatMap((read, i) => ('fields' in read && !failures[i] ? [read.fields] : []));
      const ids = await writer.insert(good);
      return { failures, idOf: new Map(good.map(({ number }, i) => [number, ids[i]])) };
    });
  const { failures, idOf } =
    mode === 'create'
      ? await store()
      : { failures: await judge(employees.desk()), idOf: new Map<string, number>() };

  const results = reads.map((read, index): BatchResult => {
    const failure = failures[index];
    const number = 'fields' in read ? read.fields.number : shownNumber(sent[index]);
    const id = failure ? undefined : idOf.get(number);
    return { index, number, ok: !failure, id: String(id ?? ''), errors: failure?.reasons ?? [] };
  });
  const ofForwards = look.warnings(
    reads.flatMap((read, i) => ('fields' in read && !failures[i] ? read.fields : [])),
  );
  const warnings = reads.flatMap((read, i) => {
    if ('failure' in read || failures[i]) return [];
    const texts = [...read.warnings, ...(lookups[i] ?? []), ofForwards.get(read.fields.number) ?? []].flat();
    return texts.map((text) => `employees[${i}].${text}`);
  });
  return { results, created: idOf.size, warnings };
}

/** When nothing is stored: the status of the first bad row, the reasons of all. */
export function together(
  first: Failure,
  failures: readonly (Failure | undefined)[],
  list = 'employees',
): Failure {
  const reasons = failures.flatMap((failure, i) =>
    (failure?.reasons ?? []).map((text) => `${list}[${i}].${text}`),
  );
  if (first instanceof NotFound) return new NotFound(reasons);
  if (first instanceof Conflict) return new Conflict(reasons);
  return first instanceof RuleBroken ? new RuleBroken(reasons) : new InvalidFields(reasons);
}

export function shownNumber(sent: unknown): string {
  const number =
    typeof sent === 'object' && sent !== null ? (sent as { number?: unknown }).number : undefined;
  return typeof number === 'string' && number.length <= 50 ? number : '';
}
