import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlKind } from './sql-kind.ts';

export function employees(kind: SqlKind): Migration {
  const autoId = (column: ColumnDefinitionBuilder) =>
    (kind === 'sqlite' ? column.autoIncrement() : column.generatedByDefaultAsIdentity()).primaryKey();
  // Both databases must sort names alike, whatever the locale of the server.
  const sortable = kind === 'sqlite' ? sql`text` : sql`text collate "C"`;

  return {
    async up(db) {
      await createEmployees(db, autoId, sortable);
      await db.schema
        .createTable('employee_changes')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('version', 'integer', (column) => column.notNull())
        .execute();
      await sql`insert into employee_changes (id, version) values (1, 0)`.execute(db);
      await db.schema
        .createTable('employee_deletions')
        .addColumn('version', 'integer', (column) => column.notNull().primaryKey())
        .addColumn('employee_id', 'integer', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('employee_imports')
        .addColumn('hash', 'text', (column) => column.notNull().primaryKey())
        .addColumn('caller', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('strategy', 'text', (column) => column.notNull())
        .addColumn('rows', 'text', (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('employee_imports_by_end')
        .on('employee_imports')
        .column('expires_at')
        .execute();
    },
  };
}

async function createEmployees(
  db: Kysely<unknown>,
  autoId: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder,
  sortable: ReturnType<typeof sql>,
): Promise<void> {
  const filled = (column: ColumnDefinitionBuilder) => column.notNull();
  await db.schema
    .createTable('employees')
    .addColumn('id', 'integer', autoId)
    .addColumn('number', 'text', (column) => column.notNull().unique())
    .addColumn('user_username', 'text', filled)
    .addColumn('user_email', 'text', filled)
    .addColumn('mobile_number', 'text', filled)
    .addColumn('mobile_dialstring', 'text', filled)
    .addColumn('sip_secret', 'text', filled)
    .addColumn('sip_transport', 'text', filled)
    .addColumn('sip_dtmfmode', 'text', filled)
    .addColumn('sip_enableRecording', 'text', filled)
    .addColumn('sip_networkfilterid', 'text', filled)
    .addColumn('sip_manualattributes', 'text', filled)
    .addColumn('fwd_ringlength', 'integer', filled)
    .addColumn('fwd_forwarding', 'text', filled)
    .addColumn('fwd_forwardingonbusy', 'text', filled)
    .addColumn('fwd_forwardingonunavailable', 'text', filled)
    // In lower case, because lower() of SQLite knows ASCII only.
    .addColumn('number_key', 'integer', filled)
    .addColumn('name_key', sortable as never, filled)
    .addColumn('email_key', sortable as never, filled)
    .addColumn('mobile_key', sortable as never, filled)
    .addColumn('search_text', 'text', filled)
    .addColumn('version', 'integer', filled)
    .execute();
  await db.schema.createIndex('employees_by_name').on('employees').columns(['name_key', 'id']).execute();
  await db.schema.createIndex('employees_by_number').on('employees').columns(['number_key', 'id']).execute();
  await db.schema.createIndex('employees_by_mobile').on('employees').column('mobile_number').execute();
  await db.schema.createIndex('employees_by_filter').on('employees').column('sip_networkfilterid').execute();
  await db.schema.createIndex('employees_by_version').on('employees').column('version').execute();
}
