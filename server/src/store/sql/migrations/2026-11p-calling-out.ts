import type { Migration } from 'kysely/migration';

/** What employees show outside and how far they may call, and where providers are shown it: as before. */
export const callingOut: Migration = {
  async up(db) {
    const columns = [
      ['employees', 'outgoing_callerid', ''],
      ['employees', 'call_class', 'premium'],
      ['sip_providers', 'cid_placement', 'pai'],
    ] as const;
    // SQLite takes one column at a time.
    for (const [table, name, fallback] of columns)
      await db.schema
        .alterTable(table)
        .addColumn(name, 'text', (column) => column.notNull().defaultTo(fallback))
        .execute();
  },
};
