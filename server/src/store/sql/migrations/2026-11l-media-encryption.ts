import type { Migration } from 'kysely/migration';

/** Whether the voice of an employee's phone is encrypted: so far it was not. */
export const mediaEncryption: Migration = {
  async up(db) {
    await db.schema
      .alterTable('employees')
      .addColumn('sip_media_encryption', 'text', (column) => column.notNull().defaultTo('none'))
      .execute();
  },
};
