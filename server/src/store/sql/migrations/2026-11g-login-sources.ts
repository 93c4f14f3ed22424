import type { Migration } from 'kysely/migration';

/** From where each account logged in. */
export const loginSources: Migration = {
  async up(db) {
    await db.schema
      .createTable('login_sources')
      .addColumn('user_id', 'integer', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('last_login_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('login_sources_pkey', ['user_id', 'source'])
      .execute();
  },
};
