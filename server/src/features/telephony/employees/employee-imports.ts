import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { NotFound, TooManyRequests } from '../../../lib/errors.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { type Employee, filterProblems, generateSecret, NUMBER_TAKEN, patched, refusal } from './employee.ts';
import { type ImportRow, readEmployeeCsv } from './employee-csv.ts';
import { DEFAULTS, type EmployeeFields } from './employee-fields.ts';
import type { Employees } from './employees.service.ts';
import { createNumberConflicts, type NumberConflicts } from './number-conflicts.ts';

export const STRATEGIES = ['skip_duplicates', 'update_existing', 'fail_on_duplicate'] as const;
export type Strategy = (typeof STRATEGIES)[number];
export const ROW_STATUSES = ['new', 'update', 'duplicate', 'error'] as const;

const LIFETIME_MS = 15 * 60_000;
/** Most uploads of a caller that wait for `confirm`. Each may have 10 MiB: a caller must not fill the disk. */
const MAX_WAITING = 200;
const SWEEP_MS = 60_000;

interface ImportParts {
  readonly db: Kysely<Database>;
  readonly employees: Pick<Employees, 'byNumbers' | 'desk' | 'filterIds' | 'lookAtForwards' | 'write'>;
  readonly clock: Clock;
  /** Called when expired uploads cannot be removed; the next sweep tries again. */
  readonly onError: (error: unknown) => void;
  readonly sweepMs?: number;
}

/** What becomes of a row, given who holds its number and which filters exist. */
interface Verdict {
  readonly row: ImportRow;
  readonly status: (typeof ROW_STATUSES)[number];
  readonly errors: readonly string[];
  readonly fields?: EmployeeFields;
  readonly existing?: Employee;
}

function judge(
  row: ImportRow,
  existing: Employee | undefined,
  filters: ReadonlySet<string>,
  strategy: Strategy,
  conflicts: NumberConflicts,
): Verdict {
  if (row.errors.length > 0) return { row, status: 'error', errors: row.errors };
  if (existing && strategy === 'fail_on_duplicate') return { row, status: 'error', errors: [NUMBER_TAKEN] };
  if (existing && strategy === 'skip_duplicates') return { row, status: 'duplicate', errors: [] };
  if (!existing && row.errorsIfNew.length > 0) return { row, status: 'error', errors: row.errorsIfNew };
  const problems = filterProblems(row.change, filters);
  if (problems.length > 0) return { row, status: 'error', errors: problems };
  const fields = existing
    ? patched(existing, row.change)
    : { ...DEFAULTS, ...row.change, sip_secret: row.change.sip_secret || generateSecret() };
  const failure = refusal(fields, conflicts.failure(fields, existing), existing);
  if (failure) return { row, status: 'error', errors: failure.reasons };
  conflicts.give(fields, existing);
  return { row, status: existing ? 'update' : 'new', errors: [], fields, ...(existing && { existing }) };
}

const changesOf = (rows: readonly ImportRow[]) =>
  rows.filter(({ errors }) => errors.length === 0).map(({ change }) => change);
const numbersOf = (rows: readonly ImportRow[]): string[] => changesOf(rows).map(({ number }) => number);

const isSame = (a: EmployeeFields, b: EmployeeFields): boolean =>
  (Object.keys(b) as (keyof EmployeeFields)[]).every((name) => a[name] === b[name]);

/** Warnings for the rows that are stored, or would be, by their lines. */
function forwardWarnings(
  { warnings }: Awaited<ReturnType<Employees['lookAtForwards']>>,
  verdicts: readonly Verdict[],
): string[] {
  const ofForwards = warnings(verdicts.flatMap(({ fields }) => fields ?? []));
  return verdicts.flatMap(({ row, fields }) => {
    const texts = fields ? (ofForwards.get(fields.number) ?? []) : [];
    return texts.map((text) => `line ${row.line}: ${text}`);
  });
}

/** Employees from a file, in two steps: preview, then confirm (contract 3.5). */
export function createEmployeeImports({ db, employees, clock, onError, sweepMs = SWEEP_MS }: ImportParts) {
  const hashOf = (uploadId: string) => createHash('sha256').update(uploadId).digest('hex');

  const sweep = () =>
    db
      .deleteFrom('employee_imports')
      .where('expires_at', '<=', clock.now())
      .execute()
      .then(() => {}, onError);
  let sweeping: Promise<void> | undefined;
  const timer = setInterval(() => {
    sweeping ??= sweep().finally(() => {
      sweeping = undefined;
    });
  }, sweepMs);
  timer.unref();

  async function refuseMoreThan(most: number, caller: string): Promise<void> {
    const waiting = await db
      .selectFrom('employee_imports')
      .select('expires_at')
      .where('caller', '=', caller)
      .where('expires_at', '>', clock.now())
      .orderBy('expires_at')
      .execute();
    const [oldest] = waiting;
    if (!oldest || waiting.length <= most) return;
    throw new TooManyRequests(
      `at most ${MAX_WAITING} uploads may wait to be confirmed`,
      (oldest.expires_at - clock.now()) / 1000,
    );
  }

  return {
    /** What would happen. Keeps the rows for `confirm`, stores nothing else. */
    async preview(csv: string, strategy: Strategy, caller: string) {
      await refuseMoreThan(MAX_WAITING - 1, caller);
      const { rows, unknownColumns } = readEmployeeCsv(csv);
      const existing = await employees.byNumbers(numbersOf(rows));
      const filters = await employees.filterIds();
      const conflicts = await createNumberConflicts(employees.desk(), changesOf(rows));
      const verdicts = rows.map((row) =>
        judge(row, existing.get(row.change.number), filters, strategy, conflicts),
      );
      const warnings = forwardWarnings(await employees.lookAtForwards(), verdicts);
      const uploadId = randomBytes(24).toString('hex');
      const hash = hashOf(uploadId);
      await db
        .insertInto('employee_imports')
        .values({
          hash,
          caller,
          expires_at: clock.now() + LIFETIME_MS,
          strategy,
          // As JSON, because a refused row may hold text that no database stores.
          rows: JSON.stringify(rows),
        })
        .execute();
      try {
        // Check again: other uploads of the same caller may have arrived meanwhile.
        await refuseMoreThan(MAX_WAITING, caller);
      } catch (error) {
        await db.deleteFrom('employee_imports').where('hash', '=', hash).execute();
        throw error;
      }
      return { uploadId, verdicts, unknownColumns, warnings };
    },

    /** One use, 15 minutes, same caller only. Rows are judged again: employees may have changed since the preview. */
    async confirm(uploadId: string, chosen: Strategy | undefined, caller: string) {
      const filters = await employees.filterIds();
      const look = await employees.lookAtForwards();
      const { verdicts, warnings } = await employees.write(async (writer) => {
        const upload = await writer.trx
          .deleteFrom('employee_imports')
          .where('hash', '=', hashOf(uploadId))
          .where('caller', '=', caller)
          .where('expires_at', '>', clock.now())
          .returning(['strategy', 'rows'])
          .executeTakeFirst();
        if (!upload)
          throw new NotFound('upload_id: not found: already used, expired, or uploaded by another caller');
        const strategy = chosen ?? (upload.strategy as Strategy);
        const rows = JSON.parse(upload.rows) as ImportRow[];
        const existing = await writer.byNumbers(numbersOf(rows));
        const conflicts = await createNumberConflicts(writer.desk, changesOf(rows));
        const verdicts = rows.map((row) =>
          judge(row, existing.get(row.change.number), filters, strategy, conflicts),
        );
        const updates = verdicts.flatMap(({ row, status, fields, existing: before }) =>
          status === 'update' && fields && before && !isSame(fields, before)
            ? [{ line: row.line, before, after: fields }]
            : [],
        );
        const told = await writer.update(updates);
        const warnings = told.flatMap((one, at) =>
          one.warnings.map((text) => `line ${updates[at]?.line}: ${text}`),
        );
        await writer.insert(
          verdicts.flatMap(({ status, fields }) => (status === 'new' && fields ? [fields] : [])),
        );
        return { verdicts, warnings };
      });
      return { verdicts, warnings: [...warnings, ...forwardWarnings(look, verdicts)] };
    },

    async close(): Promise<void> {
      clearInterval(timer);
      await sweeping;
    },
  };
}

export type EmployeeImports = ReturnType<typeof createEmployeeImports>;
