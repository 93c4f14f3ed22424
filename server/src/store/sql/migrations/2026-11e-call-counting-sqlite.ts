import { firstWallMs } from './2026-11c-cdr.ts';
import { countCalls } from './2026-11e-count-calls-sqlite.ts';

/** What `calls` and its numbers, providers and blocks are made of. */
export const COUNTED =
  'id, start, src_num, src_name, dst_num, dst_name, linkedid, did, disposition, from_account, to_account, duration, billsec';

/**
 * A call is never changed, only taken away and counted again: `calls` takes its numbers, providers and block with it.
 * No conflict clauses: `insert or …` of the other tool would override them.
 */
export function sqliteCallTriggers(): string[] {
  return [
    `create trigger calls_removed after delete on calls begin ${callRemoved} end`,
    `create trigger call_numbers_added after insert on call_numbers
      when not exists (select 1 from number_endings where ending = new.number and number = new.number)
        and not exists (select 1 from whole_numbers where number = new.number) begin
      insert into whole_numbers (number) values (new.number); end`,
    `create trigger call_providers_added after insert on call_providers begin ${providerAdded} end`,
    `create trigger call_providers_removed after delete on call_providers begin ${providerRemoved} end`,
    // `insert or replace` removes the old row without telling its triggers.
    `create trigger cdr_leg_replaced before insert on cdr_general
      when new.id > 0 and exists (select 1 from cdr_general where id = new.id) begin
      ${remove('(select linkedid from cdr_general where id = new.id)')} end`,
    // Whoever writes many legs may count their calls once, after the last: a row in `leg_batches`, which is gone again
    // before the commit, says so.
    'create table leg_batches (counted_by_writer integer)',
    `create trigger cdr_leg_added after insert on cdr_general
      when new.linkedid <> '' and not exists (select 1 from leg_batches) begin
      ${count('(select new.linkedid)')} end`,
    // Before, because what goes is found by the legs as they were.
    `create trigger cdr_leg_changing before update of ${COUNTED} on cdr_general begin
      ${remove('old.linkedid')} ${remove('new.linkedid')} end`,
    `create trigger cdr_leg_changed after update of ${COUNTED} on cdr_general begin
      ${count('(select new.linkedid union select old.linkedid)')} end`,
    `create trigger cdr_leg_removing before delete on cdr_general begin ${remove('old.linkedid')} end`,
    `create trigger cdr_leg_removed after delete on cdr_general begin ${count('(select old.linkedid)')} end`,
  ];
}

const remove = (linkedid: string) => `delete from calls where linkedid = ${linkedid};`;

const count = (linkedids: string) =>
  countCalls(linkedids, firstWallMs)
    .map((statement) => `${statement};`)
    .join('\n');

/** Column by column: of a row of columns SQLite may use the first alone, and walk over all calls of a number. */
const forgetNumbers = (column: string, role: number) => `
  delete from call_numbers where number in (select ${column} from cdr_general where linkedid = old.linkedid)
    and role = ${role} and started = old.started and last_id = old.last_id;`;

const callRemoved = `
  ${forgetNumbers('src_num', 1)}
  ${forgetNumbers('dst_num', 2)}
  ${forgetNumbers('did', 3)}
  delete from call_providers where started = old.started and linkedid = old.linkedid;
  update call_blocks set calls = calls - 1 where block = old.last_id >> 13 and slot = 0;`;

const dayOf = (row: string) =>
  `day = ${row}.started / 86400000 and direction = ${row}.direction and provider = ${row}.provider and slot = 0`;

const providerAdded = `
  insert into provider_days (day, direction, provider, slot, calls, answered, missed, duration, billsec)
    select new.started / 86400000, new.direction, new.provider, 0, 0, 0, 0, 0, 0
    where not exists (select 1 from provider_days where ${dayOf('new')});
  update provider_days set calls = calls + 1, answered = answered + new.answered, missed = missed + new.missed,
      duration = duration + new.duration, billsec = billsec + new.billsec
    where ${dayOf('new')};`;

const providerRemoved = `
  update provider_days set calls = calls - 1, answered = answered - old.answered, missed = missed - old.missed,
      duration = duration - old.duration, billsec = billsec - old.billsec
    where ${dayOf('old')};`;
