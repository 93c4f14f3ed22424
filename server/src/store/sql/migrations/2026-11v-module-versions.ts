import type { Migration } from 'kysely/migration';

/** Which version of a module its data belong to, where they lie, and which of their fields are indexed: not known of those from before. */
export const moduleVersions: Migration = {
  async up(db) {
    const columns = [
      ['modules', 'data_place'],
      ['modules', 'data_version'],
      ['modules', 'data_since'],
      ['module_resources', 'indexed'],
    ] as const;
    // SQLite takes one column at a time.
    for (const [table, name] of columns)
      await db.schema
        .alterTable(table)
        .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
        .execute();
  },
};
