import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlKind } from './sql-kind.ts';

/** What the bans of filters and the allow-list are read from. */
const TABLES = ['m_NetworkFilters', 'firewall_rules', 'm_Fail2BanRules'];

/** Enough that two writers at the same time seldom meet in one. */
const SLOTS = 64;

/**
 * Whoever writes one of the tables raises a number in the same transaction, so that it is seen exactly when the rows are
 * (ADR 27). It is the sum over all slots: on PostgreSQL each connection has one, and a transaction that somebody leaves
 * open does not hold up all others.
 */
export function filterRevision(kind: SqlKind): Migration {
  return {
    async up(db) {
      await db.schema
        .createTable('filter_changes')
        .addColumn('slot', 'integer', (column) => column.primaryKey())
        .addColumn('version', 'bigint', (column) => column.notNull())
        .execute();
      const slots = Array.from({ length: kind === 'sqlite' ? 1 : SLOTS }, (_, slot) => `(${slot}, 0)`);
      await sql.raw(`insert into filter_changes (slot, version) values ${slots.join(', ')}`).execute(db);
      const statements = kind === 'sqlite' ? sqliteTriggers() : postgresTriggers(await currentSchema());
      for (const statement of statements) await sql.raw(statement).execute(db);

      async function currentSchema(): Promise<string> {
        const { rows } = await sql<{
          schema: string;
        }>`select quote_ident(current_schema()) as schema`.execute(db);
        return rows[0]!.schema;
      }
    },
  };
}

/** Per row: SQLite knows no other. A row replaced by `insert or replace` is told of as inserted. */
const sqliteTriggers = (): string[] =>
  TABLES.flatMap((table) =>
    ['insert', 'update', 'delete'].map(
      (event) => `
        create trigger "${table}_revision_${event}" after ${event} on "${table}" begin
          update filter_changes set version = version + 1 where slot = 0;
        end`,
    ),
  );

/**
 * Before the statement, so that the slot is locked before any row: two that wait for each other would be ended by the
 * server. The function runs as its owner, since the other tool may have rights on its table only.
 */
const postgresTriggers = (schema: string): string[] => [
  `create function filter_changes_raise() returns trigger language plpgsql security definer
   set search_path = ${schema}, pg_temp as $$
   begin
     update filter_changes set version = version + 1 where slot = pg_backend_pid() % ${SLOTS};
     return null;
   end $$`,
  ...TABLES.map(
    (table) => `
      create trigger raise_revision before insert or update or delete or truncate on "${table}"
      for each statement execute function filter_changes_raise()`,
  ),
];
