import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const TEXTS = [
  'description',
  'host',
  'username',
  'secret',
  'registration_type',
  'transport',
  'dtmfmode',
  'note',
  'networkfilterid',
  'manualattributes',
  'fromuser',
  'fromdomain',
  'outbound_proxy',
  'cid_source',
  'cid_custom_header',
  'cid_parser_start',
  'cid_parser_end',
  'cid_parser_regex',
  'did_source',
  'did_custom_header',
  'did_parser_start',
  'did_parser_end',
  'did_parser_regex',
  'additional_hosts',
  // Flags, '0' or '1'.
  'qualify',
  'disabled',
  'disablefromuser',
  'cid_did_debug',
];

export const sipProviders: Migration = {
  async up(db) {
    let table = db.schema
      .createTable('sip_providers')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey());
    for (const name of TEXTS) table = table.addColumn(name, 'text', (column) => column.notNull());
    await table
      .addColumn('port', 'integer', (column) => column.notNull())
      .addColumn('qualifyfreq', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('switched_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('sip_provider_changes')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute();
    await sql`insert into sip_provider_changes (id, version) values (1, 0)`.execute(db);
    // Counted per provider: of two nodes that note one move, the second finds the number taken.
    await db.schema
      .createTable('provider_history')
      .addColumn('provider_id', 'text', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('timestamp', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('previous', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('provider_history_pkey', ['provider_id', 'seq'])
      .execute();
  },
};
