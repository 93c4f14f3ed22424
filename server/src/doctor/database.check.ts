import { type Kysely, sql } from 'kysely';
import type { ApiKeyRow } from '../features/access/api-keys/api-keys.store.ts';
import { reasonOf } from '../lib/reason-of.ts';
import type { SqlKind } from '../store/sql/migrate.ts';
import type { Database } from '../store/sql/schema.ts';
import { checkAccess } from './access.check.ts';
import { checkDefaultRoute } from './default-route.check.ts';
import { clockFinding, type Finding, ok, type Patient, problem } from './finding.ts';
import { checkNumbers } from './numbers.check.ts';
import { checkOffWorkRules } from './off-work-rules.check.ts';
import { checkRecordings } from './recordings.check.ts';

/** An open database, and readers for what is checked. */
export interface ExaminedDatabase {
  readonly kind: SqlKind;
  readonly db: Kysely<Database>;
  readonly keys: { list(): Promise<ApiKeyRow[]> };
  readonly filters: {
    settle(): Promise<readonly { readonly id: number }[]>;
    unreadableEntries(): readonly { readonly source: string; readonly text: string }[];
  };
}

export const databaseName = (kind: SqlKind): string => (kind === 'postgres' ? 'PostgreSQL' : 'SQLite');

export async function checkOpenDatabase(database: ExaminedDatabase, patient: Patient): Promise<Finding[]> {
  return [
    ...(await checkWriting(database)),
    ...(await checkDatabaseClock(database, patient)),
    ...(await checkAccess(database, patient)),
    ...(await checkRecordings(database, patient)),
    ...(await checkDefaultRoute(database, patient)),
    ...(await checkNumbers(database, patient)),
    ...(await checkOffWorkRules(database)),
  ];
}

async function checkWriting({ db, kind }: ExaminedDatabase): Promise<Finding[]> {
  const name = databaseName(kind);
  const rollback = new Error('only a try');
  try {
    await db.transaction().execute(async (trial) => {
      await trial.insertInto('settings').values({ key: 'doctor', value: '' }).execute();
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback)
      return [
        problem(
          `database (${name}) cannot be written: ${reasonOf(error)}`,
          'check its disk space and the rights of its user',
        ),
      ];
  }
  return [ok(`database (${name}): reachable, up to date, writable`)];
}

/** SQLite has no clock of its own. */
async function checkDatabaseClock({ db, kind }: ExaminedDatabase, { clock }: Patient): Promise<Finding[]> {
  if (kind !== 'postgres') return [];
  const before = clock.now();
  const now = sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`;
  const { rows } = await now.execute(db);
  return clockFinding('PostgreSQL', Number(rows[0]?.ms), before, clock.now());
}
