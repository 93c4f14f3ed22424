import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { postgresApplicationCalls } from './2026-11s-application-calls-postgres.ts';
import { SQLITE_APPLICATION_CALLS } from './2026-11s-application-calls-sqlite.ts';
import type { SqlKind } from './sql-kind.ts';

/**
 * A call that met a menu, a queue or a message lasts from its earliest start to its latest end (contract 29.2), and is
 * found by them. Legs of such applications were never written before, so no call has to be counted again.
 */
export function applicationCalls(kind: SqlKind): Migration {
  return {
    async up(db) {
      const count =
        kind === 'sqlite' ? SQLITE_APPLICATION_CALLS : postgresApplicationCalls(await schemaOf(db));
      for (const statement of [...count, APPLICATIONS]) await sql.raw(statement).execute(db);
    },
  };
}

/** Legs of people have no entry, so it costs them nothing. */
const APPLICATIONS = `create index cdr_general_applications on cdr_general (linkedid, appname, dst_num)
  where is_app = '1'`;

async function schemaOf(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ schema: string }>`select quote_ident(current_schema()) as schema`.execute(db);
  return rows[0]!.schema;
}
