import type { Migration } from 'kysely/migration';

/** How decisions are told to each key. */
export const bouncerOptions: Migration = {
  async up(db) {
    for (const name of ['bouncer_client', 'bouncer_options']) {
      await db.schema
        .alterTable('api_keys')
        .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
        .execute();
    }
  },
};
