import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlKind } from './sql-kind.ts';

/**
 * Ids of filters are never given out again (contract 17.8): who is still bound to an old one would be bound to a
 * stranger. Both databases count on from ids that were given out or inserted; this adds ids that another tool gave to
 * an existing row, from now on and before.
 */
export function filterIds(kind: SqlKind): Migration {
  return {
    async up(db) {
      for (const statement of kind === 'sqlite' ? SQLITE : POSTGRES) await sql.raw(statement).execute(db);
    },
  };
}

const SQLITE = [
  `update sqlite_sequence set seq = max(seq, (select coalesce(max(id), 0) from "m_NetworkFilters"))
     where name = 'm_NetworkFilters'`,
  `drop trigger if exists "m_NetworkFilters_changed_id"`,
  // Not "of id": the column can also be named "rowid".
  `create trigger "m_NetworkFilters_changed_id" after update on "m_NetworkFilters" when new.id <> old.id
   begin
     update sqlite_sequence set seq = new.id where name = 'm_NetworkFilters' and seq < new.id;
   end`,
];

const POSTGRES = [
  // As if each row came anew: the trigger of inserts moves the sequence.
  `drop trigger if exists note_changed_id on "m_NetworkFilters"`,
  `create trigger note_changed_id before update of id on "m_NetworkFilters"
   for each row execute function "m_NetworkFilters_note_id"()`,
  `update "m_NetworkFilters" set id = id where id = (select max(id) from "m_NetworkFilters")`,
];
