import type { Migration } from 'kysely/migration';

/** What whoever enabled a module accepted; not known of those from before. */
export const moduleRights: Migration = {
  async up(db) {
    await db.schema
      .alterTable('modules')
      .addColumn('accepted', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  },
};
