import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import { NotFound } from '../../lib/errors.ts';
import type { Database } from '../../store/sql/schema.ts';
import {
  DEFAULTS,
  type Employee,
  type EmployeeFields,
  generateSecret,
  NUMBER_TAKEN,
  patched,
  refusal,
} from './employee.ts';
import { type ImportRow, readEmployeeCsv } from './employee-csv.ts';
import type { Employees } from './employees.service.ts';

export const STRATEGIES = ['skip_duplicates', 'update_existing', 'fail_on_duplicate'] as const;
export type Strategy = (typeof STRATEGIES)[number];
export const ROW_STATUSES = ['new', 'update', 'duplicate', 'error'] as const;

const LIFETIME_MS = 15 * 60_000;

interface ImportParts {
  readonly db: Kysely<Database>;
  readonly employees: Employees;
  readonly clock: Clock;
}

/** What becomes of a row, given who holds its number. */
interface Verdict {
  readonly row: ImportRow;
  readonly status: (typeof ROW_STATUSES)[number];
  readonly errors: readonly string[];
  readonly fields?: EmployeeFields;
  readonly existing?: Employee;
}

function judge(row: ImportRow, existing: Employee | undefined, strategy: Strategy): Verdict {
  if (row.errors.length > 0) return { row, status: 'error', errors: row.errors };
  if (existing && strategy === 'fail_on_duplicate') return { row, status: 'error', errors: [NUMBER_TAKEN] };
  if (existing && strategy === 'skip_duplicates') return { row, status: 'duplicate', errors: [] };
  if (!existing && row.errorsIfNew.length > 0) return { row, status: 'error', errors: row.errorsIfNew };
  const fields = existing
    ? patched(existing, row.change)
    : { ...DEFAULTS, ...row.change, sip_secret: row.change.sip_secret || generateSecret() };
  const failure = refusal(fields, false);
  if (failure) return { row, status: 'error', errors: failure.reasons };
  return { row, status: existing ? 'update' : 'new', errors: [], fields, ...(existing && { existing }) };
}

const numbersOf = (rows: readonly ImportRow[]): string[] =>
  rows.filter(({ errors }) => errors.length === 0).map(({ change }) => change.number);

const isSame = (a: EmployeeFields, b: EmployeeFields): boolean =>
  (Object.keys(b) as (keyof EmployeeFields)[]).every((name) => a[name] === b[name]);

/** Employees from a file, in two steps: look, then do (contract 3.5). */
export function createEmployeeImports({ db, employees, clock }: ImportParts) {
  const hashOf = (uploadId: string) => createHash('sha256').update(uploadId).digest('hex');

  return {
    /** What would happen. Keeps the rows for `confirm`, stores nothing else. */
    async preview(csv: string, strategy: Strategy, caller: string) {
      const { rows, unknownColumns } = readEmployeeCsv(csv);
      const existing = await employees.byNumbers(numbersOf(rows));
      const verdicts = rows.map((row) => judge(row, existing.get(row.change.number), strategy));
      const uploadId = randomBytes(24).toString('hex');
      await db.deleteFrom('employee_imports').where('expires_at', '<=', clock.now()).execute();
      await db
        .insertInto('employee_imports')
        .values({
          hash: hashOf(uploadId),
          caller,
          expires_at: clock.now() + LIFETIME_MS,
          strategy,
          // As JSON, because a row that is refused may hold what no database stores.
          rows: JSON.stringify(rows),
        })
        .execute();
      return { uploadId, verdicts, unknownColumns };
    },

    /** One use, 15 minutes, same caller only. Rows are judged again: employees may have changed since the preview. */
    confirm: (uploadId: string, chosen: Strategy | undefined, caller: string) =>
      employees.write(async (writer) => {
        const upload = await writer.trx
          .deleteFrom('employee_imports')
          .where('hash', '=', hashOf(uploadId))
          .where('caller', '=', caller)
          .where('expires_at', '>', clock.now())
          .returning(['strategy', 'rows'])
          .executeTakeFirst();
        if (!upload) throw new NotFound('upload_id: not found, it is used, expired or of another caller');
        const strategy = chosen ?? (upload.strategy as Strategy);
        const rows = JSON.parse(upload.rows) as ImportRow[];
        const existing = await writer.byNumbers(numbersOf(rows));
        const verdicts = rows.map((row) => judge(row, existing.get(row.change.number), strategy));
        await writer.insert(
          verdicts.flatMap(({ status, fields }) => (status === 'new' && fields ? [fields] : [])),
        );
        const updates = verdicts.filter(({ status }) => status === 'update');
        await writer.update(
          updates.flatMap(({ fields, existing: old }) =>
            fields && old && !isSame(fields, old) ? [{ ...fields, id: old.id }] : [],
          ),
        );
        return verdicts;
      }),
  };
}

export type EmployeeImports = ReturnType<typeof createEmployeeImports>;
