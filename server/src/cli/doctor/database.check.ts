import { checkOpenDatabase, databaseName } from '../../doctor/database.check.ts';
import { type Finding, type Patient, problem, warning } from '../../doctor/finding.ts';
import { reasonOf } from '../../lib/reason-of.ts';
import { CommandFailed } from '../command.ts';
import { NeverStarted, type OpenDatabase, openDatabase } from '../database.ts';

/** Opening also migrates, like every start. */
export async function checkDatabase(patient: Patient): Promise<Finding[]> {
  const name = databaseName(patient.config.databaseUrl ? 'postgres' : 'sqlite');
  let database: OpenDatabase;
  try {
    database = await openDatabase({ config: patient.config });
  } catch (error) {
    if (error instanceof NeverStarted)
      return [warning(`database (${name}): it does not exist yet`, error.message)];
    const remedy = error instanceof CommandFailed ? error.remedy : undefined;
    return [
      problem(`database (${name}): ${reasonOf(error)}`, remedy ?? 'restore the database from a backup'),
    ];
  }
  try {
    return await checkOpenDatabase({ ...database.sql, ...database }, patient);
  } finally {
    await database.close();
  }
}
