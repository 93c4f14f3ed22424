import type { Migration } from 'kysely/migration';

/** How often each bouncer polls, and what its last report counts. */
export const keyPolls: Migration = {
  async up(db) {
    await db.schema.alterTable('api_keys').addColumn('poll_interval_ms', 'integer').execute();
    await db.schema.alterTable('api_keys').addColumn('last_usage', 'text').execute();
  },
};
