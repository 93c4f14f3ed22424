import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { bare } from '../../../lib/mobile-number.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { createSqlCopy } from '../../../store/sql/sql-copy.ts';
import type { Employee } from './employee.ts';
import { toEmployee } from './employee-columns.ts';
import { KEPT_VERSIONS } from './employees.store.ts';

interface DirectoryOptions {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Every employee in memory, for lookups by number many times a second. It follows the database by version: only changes
 * are read, so thousands of employees cost nothing while nothing changes.
 */
export async function createEmployeeDirectory({ db, clock, onError }: DirectoryOptions) {
  const byId = new Map<number, Employee>();
  const byNumber = new Map<string, Employee>();
  let known = -1;
  let sorted: readonly Employee[] | undefined;
  /** Without plus. */
  let mobiles: ReadonlySet<string> | undefined;
  const copy = await createSqlCopy({ load, clock, onError });

  async function load(): Promise<{ version: number }> {
    // Read the version first: what is written meanwhile is then read again next time, never missed.
    const { version } = await db.selectFrom('employee_changes').select('version').executeTakeFirstOrThrow();
    if (version === known) return { version };
    // The version went down: the database was replaced by another one.
    const whole = known < 0 || version < known || version - known >= KEPT_VERSIONS;
    const query = db.selectFrom('employees').selectAll();
    const rows = await (whole ? query : query.where('version', '>', known)).execute();
    // Read deletions last, so that they include employees who came and went meanwhile; an id never comes back.
    const deletions = whole
      ? []
      : await db
          .selectFrom('employee_deletions')
          .select('employee_id')
          .where('version', '>', known)
          .execute();
    if (whole) {
      byId.clear();
      byNumber.clear();
    }
    const changed = rows.map(toEmployee);
    for (const { id } of changed) {
      const old = byId.get(id);
      if (old) byNumber.delete(old.number);
    }
    for (const employee of changed) {
      byId.set(employee.id, employee);
      byNumber.set(employee.number, employee);
    }
    for (const { employee_id: id } of deletions) {
      const gone = byId.get(id);
      byId.delete(id);
      // Somebody else may have the number by now.
      if (gone && byNumber.get(gone.number)?.id === id) byNumber.delete(gone.number);
    }
    sorted = undefined;
    mobiles = undefined;
    known = version;
    return { version };
  }

  return {
    /** In the order of their numbers; a returned list never changes, a later one may differ. */
    all(): readonly Employee[] {
      sorted ??= [...byId.values()].sort((a, b) => Number(a.number) - Number(b.number) || a.id - b.id);
      return sorted;
    },
    byNumber: (number: string): Employee | undefined => byNumber.get(number),
    /** With or without plus. */
    hasMobile(number: string): boolean {
      mobiles ??= new Set([...byId.values()].map(({ mobile_number: mobile }) => bare(mobile)));
      return number !== '' && mobiles.has(bare(number));
    },
    size: (): number => byId.size,
    /** Afterwards the copy is at most a few seconds old; rejects if it would be older. */
    async settle(): Promise<void> {
      await copy.fresh();
    },
    /** Follows this node's own write, which must not fail because of this: the copy tries again by itself. */
    async follow(): Promise<void> {
      await copy.reload().catch(() => {});
    },
    onChange: (listener: () => void): void => copy.onChange(() => listener()),
    close: () => copy.close(),
  };
}

export type EmployeeDirectory = Awaited<ReturnType<typeof createEmployeeDirectory>>;
