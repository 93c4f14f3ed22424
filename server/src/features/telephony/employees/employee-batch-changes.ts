import { readFields } from '../../../http/fields.ts';
import { Conflict, type Failure, InvalidFields, NotFound } from '../../../lib/errors.ts';
import {
  type Employee,
  type EmployeeChange,
  filterProblems,
  NUMBER_TAKEN,
  patched,
  refusal,
  secretWarnings,
} from './employee.ts';
import { type BatchResult, ignoredWarnings, readEmployee, shownNumber, together } from './employee-batch.ts';
import { type EmployeeFields, patchFields, ringProblems } from './employee-fields.ts';
import { type Employees, goneWarnings } from './employees.service.ts';
import type { EmployeeWriter } from './employees.store.ts';
import { changesForwards } from './forward-warnings.ts';
import { createNumberConflicts, type NumberConflicts } from './number-conflicts.ts';

/** Limit for one call (contract 17.12). */
export const MAX_CHANGES = 100;

interface ChangeRequest {
  readonly sent: readonly unknown[];
  readonly skipErrors: boolean;
}

export interface ChangedBatch {
  readonly results: BatchResult[];
  readonly created: number;
  readonly updated: number;
  readonly warnings: string[];
}

interface Change {
  readonly sent: Record<string, unknown>;
  readonly change: EmployeeChange;
  readonly warnings: string[];
}

/** One employee as PATCH would read it. */
function readChange(sent: unknown): Change | { failure: Failure } {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return { failure: new InvalidFields('must be an object') };
  }
  const record = sent as Record<string, unknown>;
  try {
    const { values, unknown } = readFields(patchFields, record);
    const { user_avatar: avatar, ...change } = values;
    return { sent: record, change, warnings: ignoredWarnings(unknown, avatar) };
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error;
    return { failure: error };
  }
}

function judgeChange(
  { sent, change }: Change,
  old: Employee,
  conflicts: NumberConflicts,
  filters: ReadonlySet<string>,
): Employee | { failure: Failure } {
  const problems = [...ringProblems(sent, old.fwd_forwarding), ...filterProblems(change, filters)];
  if (problems.length > 0) return { failure: new InvalidFields(problems) };
  const next = { ...old, ...patched(old, change) };
  const failure = refusal(next, conflicts.failure(next, old), old);
  return failure ? { failure } : next;
}

const idOf = (sent: unknown): number => {
  const id = typeof sent === 'object' && sent !== null ? (sent as { id?: unknown }).id : sent;
  return /^\d{1,9}$/.test(String(id)) ? Number(id) : 0;
};
const notFound = (id: number): Failure =>
  id === 0 ? new InvalidFields('id: must be digits') : new NotFound(`id: employee ${id} not found`);

interface Changed {
  readonly index: number;
  readonly before: Employee;
  readonly after: Employee;
}

/** Resolves to messages about those whose numbers are named elsewhere. */
const writeChanges = async (writer: EmployeeWriter, changed: readonly Changed[]): Promise<string[]> =>
  (await writer.update(changed)).flatMap(({ warnings }, at) =>
    labelled((changed[at] as Changed).index, warnings),
  );

/** Several PATCHes in one step; each names its employee by `id`. One may take a number that an earlier one gave up. */
export async function updateBatch(
  employees: Employees,
  { sent, skipErrors }: ChangeRequest,
): Promise<ChangedBatch> {
  const rows = sent.map(readChange);
  const changes = rows.flatMap((row) => ('change' in row ? [row.change] : []));
  const filters = await employees.filtersFor(changes);
  const known = await lookUpWarnings(employees, rows, (i) => idOf(sent[i]));
  const look = await employees.lookAtForwards();
  const { failures, good, told } = await employees.write(async (writer) => {
    const stored = new Map(await writer.byIds(sent.map(idOf)));
    const conflicts = await createNumberConflicts(writer.desk, changes);
    const changed: Changed[] = [];
    const found = rows.map((row, i) => {
      if ('failure' in row) return row.failure;
      const old = stored.get(idOf(sent[i]));
      if (!old) return notFound(idOf(sent[i]));
      const next = judgeChange(row, old, conflicts, filters);
      if ('failure' in next) return next.failure;
      conflicts.give(next, old);
      changed.push({ index: i, before: old, after: next });
      stored.set(old.id, next);
      return undefined;
    });
    refuseUnless(skipErrors, found);
    const told = await writeChanges(writer, changed);
    return { failures: found, told, good: new Map(changed.map(({ after }) => [after.id, after])) };
  });
  const results = sent.map((row, index): BatchResult => {
    const failure = failures[index];
    const id = idOf(row);
    const number = good.get(id)?.number ?? shownNumber(row);
    return { index, number, ok: !failure, id: String(id || ''), errors: failure?.reasons ?? [] };
  });
  const moved = rows.flatMap((row, i) =>
    'change' in row && !failures[i] && changesForwards(row.change) ? (good.get(idOf(sent[i])) ?? []) : [],
  );
  const ofForwards = look.warnings(moved);
  const warnings = rows.flatMap((row, i) => {
    if (failures[i] || 'failure' in row) return [];
    const employee = good.get(idOf(sent[i])) as Employee;
    const ofSecret = row.change.sip_secret ? secretWarnings(employee) : [];
    const ofChange = changesForwards(row.change) ? (ofForwards.get(employee.number) ?? []) : [];
    return labelled(i, [...row.warnings, ...ofSecret, ...(known[i] ?? []), ofChange].flat());
  });
  warnings.push(...told);
  const updated = results.filter(({ ok }) => ok).length;
  return { results, created: 0, updated, warnings };
}

/** An employee whose number exists is changed as by PATCH, any other created as by POST. */
export async function upsertBatch(
  employees: Employees,
  { sent, skipErrors }: ChangeRequest,
): Promise<ChangedBatch> {
  const rows = sent.map(readChange);
  const changes = rows.flatMap((row) => ('change' in row ? [row.change] : []));
  const filters = await employees.filtersFor(changes);
  const holders = await employees.byNumbers(changes.flatMap(({ number }) => number ?? []));
  const known = await lookUpWarnings(employees, rows, (_, { number = '' }) => holders.get(number)?.id);
  const look = await employees.lookAtForwards();
  const warnings: string[] = [];
  const { failures, ids, created, moved } = await employees.write(async (writer) => {
    const existing = await writer.byNumbers(changes.flatMap(({ number }) => number ?? []));
    const conflicts = await createNumberConflicts(writer.desk, changes);
    const seen = new Set<string>();
    const changed: Changed[] = [];
    const inserts: EmployeeFields[] = [];
    const moved = new Map<number, EmployeeFields>();
    const found = rows.map((row, i) => {
      if ('failure' in row) return row.failure;
      const { number, ...rest } = row.change;
      if (number === undefined) return new InvalidFields('number: required');
      if (seen.has(number)) return new Conflict(NUMBER_TAKEN);
      const old = existing.get(number);
      if (old) {
        const next = judgeChange(row, old, conflicts, filters);
        if ('failure' in next) return next.failure;
        conflicts.give(next, old);
        changed.push({ index: i, before: old, after: next });
        if (changesForwards(rest)) moved.set(i, next);
        warnings.push(
          ...labelled(i, [...row.warnings, ...(row.change.sip_secret ? secretWarnings(next) : [])]),
          ...labelled(i, known[i] ?? []),
        );
      } else {
        const read = readEmployee(sent[i]);
        if ('failure' in read) return read.failure;
        const problems = filterProblems(read.fields, filters);
        if (problems.length > 0) return new InvalidFields(problems);
        const failure = refusal(read.fields, conflicts.failure(read.fields));
        if (failure) return failure;
        conflicts.give(read.fields, undefined);
        inserts.push(read.fields);
        moved.set(i, read.fields);
        warnings.push(...labelled(i, [...read.warnings, ...(known[i] ?? [])]));
      }
      seen.add(number);
      return undefined;
    });
    refuseUnless(skipErrors, found);
    warnings.push(...(await writeChanges(writer, changed)));
    const made = await writer.insert(inserts);
    const idsOf = new Map(changed.map(({ after: { number, id } }) => [number, id]));
    for (const [i, { number }] of inserts.entries()) idsOf.set(number, made[i] as number);
    return { failures: found, ids: idsOf, created: inserts.length, moved };
  });
  const results = sent.map((row, index): BatchResult => {
    const failure = failures[index];
    const number = shownNumber(row).trim();
    const id = failure ? '' : String(ids.get(number) ?? '');
    return { index, number, ok: !failure, id, errors: failure?.reasons ?? [] };
  });
  const ofForwards = look.warnings([...moved.values()]);
  for (const [i, { number }] of moved) warnings.push(...labelled(i, [ofForwards.get(number) ?? []].flat()));
  const updated = results.filter(({ ok }) => ok).length - created;
  return { results, created, updated, warnings };
}

/** Several DELETEs in one step. */
export async function deleteBatch(
  employees: Employees,
  { sent, skipErrors }: ChangeRequest,
): Promise<{ results: Omit<BatchResult, 'number'>[]; deleted: number; warnings: string[] }> {
  const wanted = sent.map(idOf);
  const { failures, gone, left } = await employees.write(async (writer) => {
    const stored = new Map(await writer.byIds(wanted));
    const gone: Employee[] = [];
    const left: string[] = [];
    const failures: (Failure | undefined)[] = [];
    for (const id of wanted) {
      const employee = stored.get(id);
      stored.delete(id);
      try {
        if (!employee) throw notFound(id);
        left.push(...(await writer.delete(employee)).warnings);
        gone.push(employee);
        failures.push(undefined);
      } catch (error) {
        if (!(error instanceof NotFound || error instanceof InvalidFields || error instanceof Conflict))
          throw error;
        failures.push(error);
      }
    }
    refuseUnless(skipErrors, failures, 'ids');
    await writer.forgetOldDeletions();
    return { failures, gone, left };
  });
  const results = wanted.map((id, index) => {
    const failure = failures[index];
    return { index, ok: !failure, id: String(id || ''), errors: failure?.reasons ?? [] };
  });
  const warnings: string[] = left;
  for (const { number } of gone) warnings.push(...goneWarnings(number, await employees.forwardingTo(number)));
  return { results, deleted: gone.length, warnings };
}

/** Looked up before the write: once it is done, nothing may fail. */
const lookUpWarnings = (
  employees: Employees,
  rows: readonly (Change | { failure: Failure })[],
  own: (index: number, change: EmployeeChange) => number | undefined,
): Promise<string[][]> =>
  Promise.all(
    rows.map(async (row, i) => ('change' in row ? employees.warningsOf(row.change, own(i, row.change)) : [])),
  );

const labelled = (index: number, texts: readonly string[]): string[] =>
  texts.map((text) => `employees[${index}].${text}`);

function refuseUnless(skip: boolean, failures: readonly (Failure | undefined)[], list = 'employees'): void {
  const first = failures.find((failure) => failure !== undefined);
  if (first && !skip) throw together(first, failures, list);
}
