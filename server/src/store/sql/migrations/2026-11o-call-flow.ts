import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where calls go: records of all kinds in one table, what they name in another, and the turn of those who give numbers. */
export const callFlow: Migration = {
  async up(db) {
    await db.schema
      .createTable('call_flow_records')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('number', 'text')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('priority', 'integer', (column) => column.notNull())
      .addColumn('fields', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('call_flow_records_key', ['kind', 'id'])
      .addUniqueConstraint('call_flow_records_number', ['number'])
      .execute();
    await db.schema
      .createTable('call_flow_references')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('field', 'text', (column) => column.notNull())
      .addColumn('named', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('gives_way', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('call_flow_references_key', ['kind', 'id', 'field'])
      .execute();
    await db.schema
      .createIndex('call_flow_references_named')
      .on('call_flow_references')
      .columns(['named', 'name'])
      .execute();
    await db.schema
      .createTable('call_flow_ids')
      .addColumn('kind', 'text', (column) => column.notNull().primaryKey())
      .addColumn('last', 'integer', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('call_flow_changes')
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute();
    await sql`insert into call_flow_changes (version) values (0)`.execute(db);
    await db.schema
      .createTable('number_turns')
      .addColumn('turn', 'bigint', (column) => column.notNull())
      .execute();
    await sql`insert into number_turns (turn) values (0)`.execute(db);
  },
};
