import type { Migration } from 'kysely/migration';

/** Whether somebody still has the password of the first start. Of those from before nobody knows: they are not told. */
export const generatedPassword: Migration = {
  async up(db) {
    await db.schema
      .alterTable('users')
      .addColumn('password_generated', 'text', (column) => column.notNull().defaultTo('0'))
      .execute();
  },
};
