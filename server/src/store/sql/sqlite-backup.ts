import { backup, DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from '../../lib/private-file.ts';
import { sqliteFailure } from './sql-errors.ts';

/** Of four kilobytes each: how many are copied before somebody is asked whether it is still wanted. */
const PAGES = 2000;

interface SqliteCopy {
  readonly file: string;
  readonly target: string;
  readonly signal: AbortSignal;
}

/**
 * Copies a database as it is at this moment, while others write to it. A connection of its own stands on one state of the
 * log, and the pages are copied beside everything else.
 */
export async function copySqlite({ file, target, signal }: SqliteCopy): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    source.exec('begin');
    source.prepare('select count(*) from sqlite_schema').get();
    createPrivateFile(target);
    await backup(source, target, { rate: PAGES, progress: () => signal.throwIfAborted() });
  } catch (error) {
    throw sqliteFailure(error);
  } finally {
    source.close();
  }
}

/** What is wrong with a file that shall be the database; `undefined` when it can be used. */
export function sqliteProblem(file: string): string | undefined {
  try {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      const found = db.prepare('pragma quick_check').get() as { quick_check?: string } | undefined;
      return found?.quick_check === 'ok' ? undefined : (found?.quick_check ?? 'it cannot be checked');
    } finally {
      db.close();
    }
  } catch (error) {
    return (error as Error).message;
  }
}
