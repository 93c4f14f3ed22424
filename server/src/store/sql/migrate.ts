import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { foundation } from './migrations/2026-11-foundation.ts';
import { sipProviders } from './migrations/2026-11-sip-providers.ts';
import { employees } from './migrations/2026-11b-employees.ts';
import { cdr } from './migrations/2026-11c-cdr.ts';
import { modules } from './migrations/2026-11d-modules.ts';
import { callCounting } from './migrations/2026-11e-call-counting.ts';
import { filterIds } from './migrations/2026-11f-filter-ids.ts';
import { loginSources } from './migrations/2026-11g-login-sources.ts';
import { filterRevision } from './migrations/2026-11h-filter-revision.ts';
import { bouncerOptions } from './migrations/2026-11i-bouncer-options.ts';
import { oldSqliteWriters } from './migrations/2026-11j-old-sqlite-writers.ts';
import { changeFeeds } from './migrations/2026-11k-change-feeds.ts';
import { mediaEncryption } from './migrations/2026-11l-media-encryption.ts';
import { keyPolls } from './migrations/2026-11m-key-polls.ts';
import { generatedPassword } from './migrations/2026-11n-generated-password.ts';
import { callFlow } from './migrations/2026-11o-call-flow.ts';
import { callingOut } from './migrations/2026-11p-calling-out.ts';
import { hours } from './migrations/2026-11r-hours.ts';
import { applicationCalls } from './migrations/2026-11s-application-calls.ts';
import { insideNumbers } from './migrations/2026-11t-inside-numbers.ts';
import { stayTimes } from './migrations/2026-11t-stay-times.ts';
import { moduleVersions } from './migrations/2026-11v-module-versions.ts';
import { moduleRights } from './migrations/2026-11w-module-rights.ts';
import { moduleSizes } from './migrations/2026-11x-module-sizes.ts';
import type { SqlKind } from './migrations/sql-kind.ts';
import type { Database } from './schema.ts';
import { DatabaseTooNew } from './sql-errors.ts';

export type { SqlKind };

/**
 * In the order they run, which must also be the order of their names. A released migration never changes, not even
 * through its imports: it has its own copy of code that still evolves. `npm run check` enforces this.
 */
function listMigrations(kind: SqlKind): Record<string, Migration> {
  return {
    '2026-11-foundation': foundation(kind),
    '2026-11-sip-providers': sipProviders,
    '2026-11b-employees': employees(kind),
    '2026-11c-cdr': cdr(kind),
    '2026-11d-modules': modules,
    '2026-11e-call-counting': callCounting(kind),
    '2026-11f-filter-ids': filterIds(kind),
    '2026-11g-login-sources': loginSources,
    '2026-11h-filter-revision': filterRevision(kind),
    '2026-11i-bouncer-options': bouncerOptions,
    '2026-11j-old-sqlite-writers': oldSqliteWriters(kind),
    '2026-11k-change-feeds': changeFeeds(kind),
    '2026-11l-media-encryption': mediaEncryption,
    '2026-11m-key-polls': keyPolls,
    '2026-11n-generated-password': generatedPassword,
    '2026-11o-call-flow': callFlow,
    '2026-11p-calling-out': callingOut,
    '2026-11r-hours': hours,
    '2026-11s-application-calls': applicationCalls(kind),
    '2026-11t-inside-numbers': insideNumbers,
    '2026-11t-stay-times': stayTimes(kind),
    '2026-11v-module-versions': moduleVersions,
    '2026-11w-module-rights': moduleRights,
    '2026-11x-module-sizes': moduleSizes(kind),
  };
}

interface MigrationTarget {
  readonly db: Kysely<Database>;
  readonly kind: SqlKind;
  /** The last one to run; all of them when absent. */
  readonly upTo?: string | undefined;
}

/** Several nodes may call this at once: one migrates, the others wait and find it done. Applies all or nothing. */
export async function migrate({ db, kind, upTo }: MigrationTarget): Promise<void> {
  const migrations = listMigrations(kind);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error === undefined) return;
  // The migrator refuses an unknown migration too, but reports it as corruption.
  const unknown = (await listApplied(db).catch(() => [])).find((name) => !(name in migrations));
  throw unknown === undefined ? error : new DatabaseTooNew(unknown);
}

/** Whether this program knows the migration, and so databases whose last migration it is. */
export const isKnownMigration = (kind: SqlKind, name: string): boolean =>
  Object.hasOwn(listMigrations(kind), name);

async function listApplied(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}
