import type { CompiledQuery } from 'kysely';
import { sqliteFailure, unavailable } from './sql-errors.ts';
import { openReading, type Reading } from './sqlite-reading.ts';

/**
 * Reads a few rows on this thread, directly from the driver: asking another thread, or queueing for the writing
 * connection, takes several times longer than reading them.
 */
export function createLookUp(file: string) {
  let reading: Reading | undefined;
  let isClosed = false;

  return {
    async rows<T>({ sql, parameters }: CompiledQuery<T>): Promise<T[]> {
      // A connection opened after the close would create files beside the database again.
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
