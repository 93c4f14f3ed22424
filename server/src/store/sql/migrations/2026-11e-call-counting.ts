import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { postgresCallTriggers } from './2026-11e-call-counting-postgres.ts';
import { sqliteCallTriggers } from './2026-11e-call-counting-sqlite.ts';
import type { SqlKind } from './sql-kind.ts';

/**
 * Triggers keep what is derived from legs, so that another tool's rows are covered at once (contract 11). Databases that
 * were made earlier have others: they go, and what they kept stays true. Numbers too long to be taken apart are now one
 * kind of those that are kept whole.
 */
export function callCounting(kind: SqlKind): Migration {
  return {
    async up(db) {
      await dropTriggers(db, kind);
      await sql`alter table long_numbers rename to whole_numbers`.execute(db);
      const statements = kind === 'sqlite' ? sqliteCallTriggers() : postgresCallTriggers(await schemaOf(db));
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}

const FUNCTIONS = [
  ...[
    'cdr_recount',
    'cdr_leg_going',
    'cdr_legs_added',
    'cdr_legs_changed',
    'cdr_legs_removed',
    'cdr_legs_truncated',
  ],
  ...['calls_added', 'calls_removed', 'call_providers_added', 'call_providers_removed'],
];

async function dropTriggers(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  if (kind === 'postgres') {
    for (const name of FUNCTIONS) await sql`drop function if exists ${sql.ref(name)} cascade`.execute(db);
    await sql`alter index long_numbers_number rename to whole_numbers_number`.execute(db);
    return;
  }
  const triggers = await sql<{ name: string }>`select name from sqlite_master where type = 'trigger'
    and tbl_name in ('cdr_general', 'calls', 'call_numbers', 'call_providers')`.execute(db);
  for (const { name } of triggers.rows) await sql`drop trigger ${sql.ref(name)}`.execute(db);
}

async function schemaOf(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ schema: string }>`select quote_ident(current_schema()) as schema`.execute(db);
  return rows[0]!.schema;
}
