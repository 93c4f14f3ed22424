import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { COUNTED } from './2026-11e-call-counting-sqlite.ts';
import { countCalls } from './2026-11e-count-calls-sqlite.ts';
import type { SqlKind } from './sql-kind.ts';

/**
 * Other tools write legs with the SQLite of their distribution. The triggers and the index by time asked for `subsec`,
 * which SQLite older than 3.42 does not know: calls it wrote lay in 1970, and entries of the index were missing later.
 * Triggers that took a call away before a leg changed lost it when the leg was replaced, or the statement ignored.
 * Now nothing is newer than 3.34, a call is counted again after the fact only, and what was damaged is repaired.
 */
export function oldSqliteWriters(kind: SqlKind): Migration {
  return {
    async up(db) {
      if (kind === 'postgres') return;
      for (const statement of [...DROP, ...REPAIR, ...LEG_TRIGGERS]) await sql.raw(statement).execute(db);
    },
  };
}

/** How SQLite reads the wall clock from here on: the fraction is left to no date function, versions round it differently. */
function wallMs(column: string): string {
  return `coalesce(case when ${column} glob '[0-9][0-9][0-9][0-9]-*'
    then cast(round(julianday(substr(${column}, 1, 19)) * 86400 - 210866760000) as integer) * 1000
      + case substr(${column}, 20, 1) when '.' then cast(substr(${column} || '00', 21, 3) as integer) else 0 end end, 0)`;
}

const DROP = [
  ...['replaced', 'added', 'changing', 'changed', 'removing', 'removed'].map(
    (event) => `drop trigger if exists cdr_leg_${event}`,
  ),
  'drop index cdr_general_started',
];

/** A call lies where its text says; the one whose legs have no row in `calls` is lost, or one leg was given another id. */
const REPAIR = [
  `create index cdr_general_started on cdr_general ((${wallMs('start')}), id)`,
  'create table calls_to_repair (linkedid text not null primary key)',
  `insert into calls_to_repair
    select c.linkedid from calls c where c.started = 0 or c.started <> ${wallMs('c.start')}
      or not exists (select 1 from cdr_general g where g.id = c.last_id and g.linkedid = c.linkedid)
    union select g.linkedid from cdr_general g
      where g.linkedid <> '' and not exists (select 1 from calls c where c.linkedid = g.linkedid)`,
  ...countCalls('(select linkedid from calls_to_repair)', wallMs),
  'drop table calls_to_repair',
  // Blocks never shrink by themselves: those that held a call of 1970 would be looked into for every page.
  'delete from call_blocks',
  `insert into call_blocks (block, slot, calls, earliest, latest, lowest_id)
    select last_id >> 13, 0, count(*), min(started), max(started), min(first_id) from calls group by 1`,
];

const count = (linkedids: string) =>
  countCalls(linkedids, wallMs)
    .map((statement) => `${statement};`)
    .join('\n');

/** Numbers of a leg that its call does not find among its legs any more. */
const forgetNumbers = (leg: (column: string) => string, call: (column: string) => string) =>
  ['src_num', 'dst_num', 'did']
    .map(
      (column, i) => `delete from call_numbers where number = ${leg(column)} and role = ${i + 1}
        and started = ${call('started')} and last_id = ${call('last_id')};`,
    )
    .join('\n');

const leaveCall = forgetNumbers(
  (column) => `old.${column}`,
  (column) => `(select ${column} from calls where linkedid = old.linkedid)`,
);

// `or replace` removes a row without telling its triggers, so it is noted before. What an ignored statement leaves there
// does no harm: at worst a call is counted once more.
const noteReplaced = `
  delete from replaced_legs;
  insert into replaced_legs (id, linkedid, src_num, dst_num, did, started, last_id)
    select g.id, g.linkedid, g.src_num, g.dst_num, g.did, c.started, c.last_id
    from cdr_general g cross join calls c on c.linkedid = g.linkedid where g.id = new.id;`;
const ofReplaced = (column: string) => `select ${column} from replaced_legs where id = new.id`;
const leaveReplaced = forgetNumbers(
  (column) => `(${ofReplaced(column)})`,
  (column) => `(${ofReplaced(column)})`,
);

/** No conflict clauses: `insert or …` of the other tool would override them. */
const LEG_TRIGGERS = [
  `create table replaced_legs (id integer, linkedid text, src_num text, dst_num text, did text, started integer,
    last_id integer)`,
  // An id that is not given yet is -1 here.
  `create trigger cdr_leg_replacing before insert on cdr_general
    when new.id <> -1 and exists (select 1 from cdr_general where id = new.id) begin ${noteReplaced} end`,
  // One for both: where the writer counts, each trigger of an insert costs a hundredth of it.
  `create trigger cdr_leg_added after insert on cdr_general when not exists (select 1 from leg_batches) begin
    ${leaveReplaced}
    ${count(`(select new.linkedid union ${ofReplaced('linkedid')})`)}
    delete from replaced_legs; end`,
  `create trigger cdr_leg_changed after update of ${COUNTED} on cdr_general when new.id = old.id begin
    ${leaveCall}
    ${count('(select new.linkedid union select old.linkedid)')} end`,
  // Not "of id": the column can also be named "rowid".
  `create trigger cdr_leg_moving before update on cdr_general
    when new.id <> old.id and exists (select 1 from cdr_general where id = new.id) begin ${noteReplaced} end`,
  `create trigger cdr_leg_moved after update on cdr_general when new.id <> old.id begin
    ${leaveCall}
    ${leaveReplaced}
    ${count(`(select new.linkedid union select old.linkedid union ${ofReplaced('linkedid')})`)}
    delete from replaced_legs; end`,
  `create trigger cdr_leg_removed after delete on cdr_general begin
    ${leaveCall}
    ${count('(select old.linkedid)')} end`,
];
