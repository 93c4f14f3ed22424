import type { Migration } from 'kysely/migration';

/** Which modules are on, and what they keep. Rows belong to the module named in them; no module sees another's. */
export const modules: Migration = {
  async up(db) {
    await db.schema
      .createTable('modules')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('disabled', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('reason_text', 'text', (column) => column.notNull())
      .addColumn('settings', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('module_values')
      .addColumn('module_id', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('module_values_pkey', ['module_id', 'key'])
      .execute();
    await db.schema
      .createTable('module_records')
      .addColumn('module_id', 'text', (column) => column.notNull())
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('id', 'bigint', (column) => column.notNull())
      .addColumn('data', 'text', (column) => column.notNull())
      .addColumn('search_text', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('module_records_pkey', ['module_id', 'resource', 'id'])
      .execute();
    // Also numbers the records: none is given twice.
    await db.schema
      .createTable('module_resources')
      .addColumn('module_id', 'text', (column) => column.notNull())
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('last_id', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('module_resources_pkey', ['module_id', 'resource'])
      .execute();
    await db.schema
      .createTable('module_unique')
      .addColumn('module_id', 'text', (column) => column.notNull())
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('field', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('record_id', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('module_unique_pkey', ['module_id', 'resource', 'field', 'value'])
      .execute();
    await db.schema
      .createIndex('module_unique_record')
      .on('module_unique')
      .columns(['module_id', 'resource', 'record_id'])
      .execute();
  },
};
