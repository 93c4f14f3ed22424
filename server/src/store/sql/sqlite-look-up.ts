import type { CompiledQuery } from 'kysely';
import { sqliteFailure, unavailable } from './sql-errors.ts';
import { openReading, type Reading } from './sqlite-reading.ts';

/**
 * Reads a handful of rows on this thread, straight from the driver: to ask another thread, or to wait in line for the
 * connection that writes, takes several times longer than to read them.
 */
export function createLookUp(file: string) {
  let reading: Reading | undefined;
  let isClosed = false;

  return {
    async rows<T>({ sql, parameters }: CompiledQuery<T>): Promise<T[]> {
      // One that is opened after the end would make files beside the database again.
      if (isClosed) throw unavailable(new Error('the database is closed'));
      try {
        reading ??= openReading(file);
        return reading.rows(sql, parameters) as T[];
      } catch (error) {
        throw sqliteFailure(error);
      }
    },
    close(): void {
      isClosed = true;
      reading?.db.close();
      reading = undefined;
    },
  };
}

export type LookUp = ReturnType<typeof createLookUp>;
