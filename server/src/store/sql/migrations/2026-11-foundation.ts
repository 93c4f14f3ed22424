import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlKind } from './sql-kind.ts';

export function foundation(kind: SqlKind): Migration {
  /** A number that is never given out twice, even when the row with the highest one is deleted. */
  const autoId = (column: ColumnDefinitionBuilder) =>
    (kind === 'sqlite' ? column.autoIncrement() : column.generatedByDefaultAsIdentity()).primaryKey();

  return {
    async up(db) {
      await createOpenTables(db, autoId);
      if (kind === 'postgres') await noteForeignFilterIds(db);
      await createOwnTables(db, autoId);
    },
  };
}

type AutoId = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

/** Other tools write these (contract 11), so each column but the id has a default and accepts NULL. */
async function createOpenTables(db: Kysely<unknown>, autoId: AutoId): Promise<void> {
  await db.schema
    .createTable('m_NetworkFilters')
    .addColumn('id', 'integer', autoId)
    .addColumn('permit', 'text', (column) => column.defaultTo(''))
    .addColumn('deny', 'text', (column) => column.defaultTo(''))
    .addColumn('newer_block_ip', 'text', (column) => column.defaultTo('0'))
    .addColumn('local_network', 'text', (column) => column.defaultTo('0'))
    .addColumn('description', 'text', (column) => column.defaultTo(''))
    .addColumn('priority', 'text', (column) => column.defaultTo('0'))
    .execute();
  await db.schema
    .createTable('m_Fail2BanRules')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('maxretry', 'integer', (column) => column.defaultTo(20))
    .addColumn('bantime', 'integer', (column) => column.defaultTo(600))
    .addColumn('findtime', 'integer', (column) => column.defaultTo(600))
    .addColumn('whitelist', 'text', (column) => column.defaultTo(''))
    .execute();
  await sql`insert into ${sql.table('m_Fail2BanRules')} (id) values (1)`.execute(db);
}

/**
 * SQLite counts on from an id that another tool chose; a PostgreSQL sequence does not and would give it out again. The
 * function runs as its owner because the other tool may have rights on the table only.
 */
async function noteForeignFilterIds(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  await sql`
    create function "m_NetworkFilters_note_id"() returns trigger language plpgsql security definer
    set search_path = ${sql.id(rows[0]!.schema)}, pg_temp as $$
    begin
      if new.id >= (select last_value + is_called::integer from "m_NetworkFilters_id_seq") then
        perform pg_advisory_xact_lock('"m_NetworkFilters_id_seq"'::regclass::oid::bigint);
        perform setval('"m_NetworkFilters_id_seq"', new.id)
          from "m_NetworkFilters_id_seq" where new.id >= last_value + is_called::integer;
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger note_id before insert on "m_NetworkFilters"
    for each row execute function "m_NetworkFilters_note_id"()`.execute(db);
}

async function createOwnTables(db: Kysely<unknown>, autoId: AutoId): Promise<void> {
  await db.schema
    .createTable('firewall_rules')
    // No foreign key: other tools delete filters without knowing of this table.
    .addColumn('filter_id', 'integer', (column) => column.notNull())
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('firewall_rules_pkey', ['filter_id', 'category'])
    .execute();
  await db.schema
    .createTable('settings')
    .addColumn('key', 'text', (column) => column.notNull().primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', autoId)
    .addColumn('login', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('language', 'text', (column) => column.notNull().defaultTo('en'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await createAuthTokens(db);
  await createApiKeys(db, autoId);
}

async function createAuthTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('auth_tokens')
    .addColumn('hash', 'text', (column) => column.notNull().primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('session', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('auth_tokens_user_id').on('auth_tokens').column('user_id').execute();
  await db.schema.createIndex('auth_tokens_expires_at').on('auth_tokens').column('expires_at').execute();
}

async function createApiKeys(db: Kysely<unknown>, autoId: AutoId): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'integer', autoId)
    .addColumn('description', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('key_hash', 'text', (column) => column.notNull().unique())
    .addColumn('key_display', 'text', (column) => column.notNull())
    .addColumn('full_permissions', 'text', (column) => column.notNull().defaultTo('0'))
    .addColumn('allowed_paths', 'text', (column) => column.notNull().defaultTo('{}'))
    .addColumn('networkfilterid', 'text', (column) => column.notNull().defaultTo('none'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('last_poll_at', 'bigint')
    .addColumn('last_poll_ip', 'text')
    .addColumn('user_agent', 'text')
    .addColumn('last_metrics_at', 'bigint')
    .addColumn('last_metrics', 'text')
    .execute();
}
