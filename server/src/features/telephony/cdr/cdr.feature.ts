import { type RawBuilder, sql as rawSql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { createTimedTokens } from '../../../lib/timed-tokens.ts';
import type { Sql } from '../../../store/sql/open.ts';
import { createSqlReader } from '../../../store/sql/sql-reader.ts';
import { wallMs } from '../../../store/sql/wall-ms.ts';
import { createCalledNumbers } from './called-numbers.ts';
import { cdrRoutes } from './cdr.routes.ts';
import { createCdr } from './cdr.service.ts';
import { createCdrStore } from './cdr.store.ts';
import { createDeletionSweep } from './deletions.ts';
import { createLegBatches } from './leg-batches.ts';
import { type CdrLimits, LIMITS } from './limits.ts';
import { createNumberEndings } from './number-endings.ts';
import { createRecordings } from './recordings.ts';

interface CdrOptions {
  readonly sql: Sql;
  /** For PostgreSQL. */
  readonly url: string | undefined;
  /** For SQLite. */
  readonly file: string;
  readonly clock: Clock;
  readonly timezone: string;
  readonly recordingsDir: string;
  /** Secret for the tokens of recordings; the same on every node. */
  readonly secret: Buffer;
  readonly numbersOfName: (text: string) => Promise<readonly string[]>;
  readonly providerNames: () => Promise<ReadonlyMap<string, string>>;
  /** Called on the first failure of each outage of background work. */
  readonly onError: (error: unknown) => void;
  readonly limits?: Partial<CdrLimits> | undefined;
}

/** Assembles the call records. */
export function createCdrFeature({ sql, url, file, clock, timezone, ...options }: CdrOptions) {
  const { db, kind } = sql;
  const limits = { ...LIMITS, ...options.limits };
  const atOnce = limits.searchesAtOnce + limits.exportsAtOnce;
  const reader = createSqlReader({ sql, url, file, atOnce });
  const endings = createNumberEndings({ db, kind, onError: options.onError });
  const store = createCdrStore({ db, kind, reader });
  const sweep = createDeletionSweep(store.deletions, options.onError);
  const cdr = createCdr({
    store,
    recordings: createRecordings({ folder: options.recordingsDir }),
    tokens: createTimedTokens({ secret: options.secret, purpose: 'recording tokens', clock }),
    clock,
    timezone,
    numbersOfName: options.numbersOfName,
    limits,
  });
  return {
    routes: cdrRoutes({ cdr, timezone, providerNames: options.providerNames }),
    record: createLegBatches(store),
    calledNumbers: createCalledNumbers({ db, reader, clock }),
    /** For counting legs: `startOf` is the indexed expression, and no query holds up anybody else. */
    legs: {
      rows: reader.rows,
      startOf: (column: string): RawBuilder<number> => rawSql.raw(wallMs(kind, column)),
    },
    async close(): Promise<void> {
      await endings.close();
      await sweep.close();
      await reader.close();
    },
  };
}
