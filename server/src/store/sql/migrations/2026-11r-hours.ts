import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the switch of the opening hours was set to: one row, a list as JSON. */
export const hours: Migration = {
  async up(db) {
    await db.schema
      .createTable('hours_overrides')
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('overrides', 'text', (column) => column.notNull())
      .execute();
    await sql`insert into hours_overrides (revision, overrides) values (0, '[]')`.execute(db);
  },
};
