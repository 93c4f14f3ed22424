import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { NotFound } from '../../../lib/errors.ts';
import { spellings } from '../../../lib/mobile-number.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { Directory } from '../directory/directory.ts';
import { representHolder } from '../directory/holders.ts';
import type { Leaving, NumberDesk } from '../directory/number-desk.ts';
import type { Employee } from './employee.ts';
import { toEmployee, toRow } from './employee-columns.ts';
import type { EmployeeFields } from './employee-fields.ts';
import { type ListQuery, listEmployees, listWholeEmployees } from './employee-list.ts';
import { createEmployeeReferences, type EmployeeChanged } from './employee-references.ts';

/** Rows written at a time; other requests are served in between. */
const CHUNK = 100;
/** Employees read in one step when all are wanted. */
export const PIECE = 500;
/** Deletions are remembered for at least this many versions; a node that is further behind reads everything. */
export const KEPT_VERSIONS = 1000;
/** And for at least this long, for clients that follow them (contract 17.12). */
const KEPT_MS = 90 * 86_400_000;

/** Within one transaction that keeps other writers out: what is read here stays true until the end. */
function employeeWriter(desk: NumberDesk, first: WriteMark) {
  const { trx } = desk;
  const references = createEmployeeReferences(desk);
  let { version } = first;
  const now = first.changed_at;
  let isVersionTaken = false;

  /** Each deletion needs a version of its own. */
  async function versionOfDeletion(): Promise<number> {
    if (isVersionTaken) ({ version } = await nextVersion(trx, now));
    isVersionTaken = true;
    return version;
  }

  async function update(employees: readonly (EmployeeFields & { id: number })[]): Promise<void> {
    for (const [n, { id, ...fields }] of employees.entries()) {
      if (n > 0 && n % CHUNK === 0) await yieldToOthers();
      const columns = { ...toRow(fields, version), updated_at: now };
      await trx.updateTable('employees').set(columns).where('id', '=', id).execute();
    }
  }

  return {
    trx,
    desk,
    now,

    async find(id: number): Promise<Employee> {
      const row = await trx.selectFrom('employees').selectAll().where('id', '=', id).executeTakeFirst();
      if (!row) throw new NotFound(`employee ${id} not found`);
      return toEmployee(row);
    },

    byNumbers: (numbers: readonly string[]) => byNumbers(trx, numbers),

    async byIds(ids: readonly number[]): Promise<ReadonlyMap<number, Employee>> {
      if (ids.length === 0) return new Map();
      const rows = await trx.selectFrom('employees').selectAll().where('id', 'in', ids).execute();
      return new Map(rows.map((row) => [row.id, toEmployee(row)]));
    },

    /** Resolves to the ids, in the order of the employees. */
    async insert(employees: readonly EmployeeFields[]): Promise<number[]> {
      const ids = new Map<string, number>();
      for (let from = 0; from < employees.length; from += CHUNK) {
        if (from > 0) await yieldToOthers();
        const values = employees.slice(from, from + CHUNK).map((fields) => ({
          ...toRow(fields, version),
          created_at: now,
          updated_at: now,
        }));
        const rows = await trx.insertInto('employees').values(values).returning(['id', 'number']).execute();
        for (const row of rows) ids.set(row.number, row.id);
      }
      return employees.map(({ number }) => ids.get(number) as number);
    },

    /** References to their numbers follow (contract 20.9). Resolves to the messages for each. */
    async update(changes: readonly EmployeeChanged[]): Promise<Leaving[]> {
      const follow = await references.lookAt(changes);
      await update(changes.map(({ before: { id }, after }) => ({ ...after, id })));
      const told: Leaving[] = [];
      for (const change of changes) told.push(await follow(change));
      return told;
    },

    /** Deletes an employee and its mobile. Rejects with `Conflict` while something needs either (contract 20.7). */
    async delete(employee: Employee, replaceWith?: string): Promise<Leaving> {
      const { id, number, user_username: name, mobile_number: mobile } = employee;
      const also = await references.ownMobile(employee);
      const shown = representHolder({ name, number });
      const left = await desk.leave('number', { name: number, also, shown }, replaceWith);
      await trx.deleteFrom('employees').where('id', '=', id).execute();
      left.warnings.push(...(await references.forwardWarnings(mobile, also)));
      const deletion = { employee_id: id, version: await versionOfDeletion(), deleted_at: now };
      await trx.insertInto('employee_deletions').values(deletion).execute();
      return left;
    },

    async forgetOldDeletions(): Promise<void> {
      const gone = await trx
        .deleteFrom('employee_deletions')
        .where('version', '<=', version - KEPT_VERSIONS)
        .where('deleted_at', '<', now - KEPT_MS)
        .returning('version')
        .execute();
      if (gone.length === 0) return;
      const forgotten = Math.max(...gone.map((row) => row.version));
      await trx.updateTable('employee_changes').set({ forgotten }).execute();
    },
  };
}

type WriteMark = { readonly version: number; readonly changed_at: number };

const nextVersion = (trx: Kysely<Database>, now: number): Promise<WriteMark> =>
  trx
    .updateTable('employee_changes')
    .set((eb) => ({
      version: eb('version', '+', 1),
      // A clock that was set back must not hide a change from clients that ask for changes since an earlier one.
      changed_at: eb.case().when('changed_at', '<', now).then(now).else(eb.ref('changed_at')).end(),
    }))
    .returning(['version', 'changed_at'])
    .executeTakeFirstOrThrow();

export type EmployeeWriter = ReturnType<typeof employeeWriter>;

export interface EmployeeDeletions {
  readonly ids: string[];
  /** Cursor for the next request. */
  readonly cursor: number;
  readonly hasMore: boolean;
  /** Some deletions after the requested cursor are no longer known. */
  readonly isIncomplete: boolean;
}

interface StoreParts {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly numbers: Pick<Directory, 'enter'>;
}

export function createEmployeeStore({ db, clock, numbers }: StoreParts) {
  return {
    list: (query: ListQuery) => listEmployees(db, query),
    listWhole: (query: ListQuery) => listWholeEmployees(db, query),

    async find(id: number): Promise<Employee | undefined> {
      const row = await db.selectFrom('employees').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toEmployee(row);
    },

    async count(): Promise<number> {
      const { n } = await db
        .selectFrom('employees')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow();
      return Number(n);
    },

    async numbers(): Promise<string[]> {
      const rows = await db.selectFrom('employees').select('number').execute();
      return rows.map(({ number }) => number);
    },

    byNumbers: (numbers: readonly string[]) => byNumbers(db, numbers),

    /** Employees with this mobile number, however it is spelled. */
    async withMobile(mobile: string): Promise<{ id: number; number: string; user_username: string }[]> {
      return db
        .selectFrom('employees')
        .select(['id', 'number', 'user_username'])
        .where('mobile_number', 'in', spellings(mobile))
        .orderBy('id')
        .limit(5)
        .execute();
    },

    async forwardingTo(number: string): Promise<{ number: string; user_username: string }[]> {
      return db
        .selectFrom('employees')
        .select(['number', 'user_username'])
        .where((eb) =>
          eb.or([
            eb('fwd_forwarding', '=', number),
            eb('fwd_forwardingonbusy', '=', number),
            eb('fwd_forwardingonunavailable', '=', number),
          ]),
        )
        .orderBy('number_key')
        .execute();
    },

    async boundTo(networkFilterId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('employees')
        .select('number')
        .where('sip_networkfilterid', '=', networkFilterId)
        .orderBy('number_key')
        .limit(20)
        .execute();
      return rows.map(({ number }) => number);
    },

    /** Whole employees in the order of their ids, a piece at a time. */
    async *all(range: { from?: number; to?: number }): AsyncGenerator<Employee[]> {
      for (let last = 0; ; ) {
        let query = db.selectFrom('employees').selectAll().where('id', '>', last).orderBy('id').limit(PIECE);
        if (range.from !== undefined) query = query.where('number_key', '>=', range.from);
        if (range.to !== undefined) query = query.where('number_key', '<=', range.to);
        const rows = await query.execute();
        if (rows.length > 0) yield rows.map(toEmployee);
        if (rows.length < PIECE) return;
        last = rows.at(-1)?.id ?? 0;
      }
    },

    /** All or nothing; one write at a time. */
    write: <T>(work: (writer: EmployeeWriter) => Promise<T>): Promise<T> =>
      db.transaction().execute(async (trx) => {
        const desk = await numbers.enter(trx);
        return work(employeeWriter(desk, await nextVersion(trx, clock.now())));
      }),

    /** Ids of employees deleted after a version, in order (contract 17.12). */
    async deletedSince(cursor: number, limit: number): Promise<EmployeeDeletions> {
      const rows = await db
        .selectFrom('employee_deletions')
        .select(['employee_id', 'version'])
        .where('version', '>', cursor)
        .orderBy('version')
        .limit(limit + 1)
        .execute();
      const shown = rows.slice(0, limit);
      const { forgotten } = await db
        .selectFrom('employee_changes')
        .select('forgotten')
        .executeTakeFirstOrThrow();
      return {
        ids: shown.map((row) => String(row.employee_id)),
        cursor: shown.at(-1)?.version ?? cursor,
        hasMore: rows.length > limit,
        isIncomplete: cursor > 0 && cursor < forgotten,
      };
    },
  };
}

export type EmployeeStore = ReturnType<typeof createEmployeeStore>;

async function byNumbers(
  db: Kysely<Database>,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, Employee>> {
  if (numbers.length === 0) return new Map();
  const rows = await db.selectFrom('employees').selectAll().where('number', 'in', numbers).execute();
  return new Map(rows.map((row) => [row.number, toEmployee(row)]));
}

const yieldToOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
