import pg from 'pg';
import { Conflict, StoreRefusesWrites, StoreUnavailable } from '../../lib/errors.ts';

/** A unique value is taken. On PostgreSQL this fails the whole transaction: catch it around that, not inside. */
export class DuplicateKey extends Conflict {
  constructor(cause: unknown) {
    super('already exists', { cause });
  }
}

/** The database has migrations that this program does not know; using it would damage it. */
export class DatabaseTooNew extends Error {
  constructor(migration: string) {
    super(
      `the database was upgraded by a newer version of this program (it holds "${migration}"); ` +
        'start that version, or restore the backup made before the upgrade',
    );
    this.name = 'DatabaseTooNew';
  }
}

export function unavailable(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('the database cannot be read or written', cause);
}

const sqliteDuplicateCodes = new Set([1555, 2067, 2579]); // PRIMARYKEY, UNIQUE, ROWID
// PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOLFS, NOTADB
const sqliteOutageCodes = new Set([3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 22, 26]);

/** Translates an error of node:sqlite for callers; a mistake in our own SQL stays unchanged. */
export function sqliteFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code !== 'ERR_SQLITE_ERROR' || typeof errcode !== 'number') return error;
  if (sqliteDuplicateCodes.has(errcode)) return new DuplicateKey(error);
  // The low byte is the primary code, the rest a refinement.
  return sqliteOutageCodes.has(errcode & 0xff) ? unavailable(error) : error;
}

export function isSqliteBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' && (errcode & 0xff) === 5;
}

// Connection, login, no such database, rollback (deadlock), privilege, resources, lock, operator, system.
const postgresOutage = /^(08|28|3D|40|42501|53|55P03|57|58|XX)/;

/** The same for pg. An error that does not come from the server is a broken or silent connection. */
export function postgresFailure(error: unknown): unknown {
  if (error instanceof StoreUnavailable || error instanceof TypeError || error instanceof RangeError)
    return error;
  if (!(error instanceof pg.DatabaseError)) return unavailable(error);
  const sqlState = error.code ?? '';
  if (sqlState === '23505') return new DuplicateKey(error);
  if (sqlState === '25006') return new StoreRefusesWrites('the database refuses writes', error);
  return postgresOutage.test(sqlState) ? unavailable(error) : error;
}

// Cardinality, data, constraint, check option, limits of a row or an index, and what a trigger refuses.
const postgresContent = /^(21|22|23|44|54|P0001)/;
/** TOOBIG, CONSTRAINT, MISMATCH */
const sqliteContentCodes = new Set([18, 19, 20]);

/**
 * Why the database refuses this content permanently; `undefined` for any other error. Only a code, as the message of a
 * database may repeat the content.
 */
export function contentRefusal(error: unknown): string | undefined {
  const given = error instanceof DuplicateKey ? error.cause : error;
  if (given instanceof pg.DatabaseError)
    return postgresContent.test(given.code ?? '') ? `SQLSTATE ${given.code}` : undefined;
  const { code, errcode } = (given ?? {}) as { code?: unknown; errcode?: unknown };
  if (code !== 'ERR_SQLITE_ERROR' || typeof errcode !== 'number') return undefined;
  return sqliteContentCodes.has(errcode & 0xff) ? `SQLite ${errcode}` : undefined;
}
