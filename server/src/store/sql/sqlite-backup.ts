import { backup, DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from '../../lib/private-file.ts';
import { sqliteFailure } from './sql-errors.ts';

/** Pages of four kilobytes copied between two checks of the signal. */
const PAGES = 2000;

interface SqliteCopy {
  readonly file: string;
  readonly target: string;
  readonly signal: AbortSignal;
}

/**
 * Copies a database as of this moment, while others write to it. A read transaction on its own connection keeps one
 * state of the log, and the copy of the pages does not block the event loop.
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

/** Why a file cannot be used as the database; `undefined` when it can. */
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
