import { sql } from 'kysely';
import { CommandFailed } from '../command.ts';
import { NeverStarted, type OpenDatabase, openDatabase } from '../database.ts';
import { reasonOf } from '../start-failure.ts';
import { checkAccess } from './access.check.ts';
import { clockFinding, type Finding, ok, type Patient, problem, warning } from './finding.ts';
import { checkRecordings } from './recordings.check.ts';

/** Opening also migrates, as every start does. */
export async function checkDatabase(patient: Patient): Promise<Finding[]> {
  const name = patient.config.databaseUrl ? 'PostgreSQL' : 'SQLite';
  let database: OpenDatabase;
  try {
    database = await openDatabase({ config: patient.config });
  } catch (error) {
    if (error instanceof NeverStarted)
      return [warning(`database (${name}): there is none yet`, error.message)];
    const remedy = error instanceof CommandFailed ? error.remedy : undefined;
    return [
      problem(`database (${name}): ${reasonOf(error)}`, remedy ?? 'restore the database from a backup'),
    ];
  }
  try {
    return [
      ...(await checkWriting(database, name)),
      ...(await checkDatabaseClock(database, patient)),
      ...(await checkAccess(database, patient)),
      ...(await checkRecordings(database, patient)),
    ];
  } finally {
    await database.close();
  }
}

async function checkWriting({ sql: { db } }: OpenDatabase, name: string): Promise<Finding[]> {
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
async function checkDatabaseClock(
  { sql: { db, kind } }: OpenDatabase,
  { clock }: Patient,
): Promise<Finding[]> {
  if (kind !== 'postgres') return [];
  const before = clock.now();
  const now = sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`;
  const { rows } = await now.execute(db);
  return clockFinding('PostgreSQL', Number(rows[0]?.ms), before, clock.now());
}
