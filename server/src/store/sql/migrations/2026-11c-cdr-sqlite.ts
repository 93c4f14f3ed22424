import { wallMs } from '../wall-ms.ts';
import { LONGEST_TAKEN_APART } from './2026-11c-cdr-numbers.ts';

const ms = (column: string) => wallMs('sqlite', column);

/**
 * A call is never changed, only taken away and made again: `calls` brings and takes its numbers, providers and block
 * with it. No conflict clauses: `insert or …` of the other tool would override them.
 */
export function sqliteCallTriggers(): string[] {
  return [
    `create trigger calls_added after insert on calls begin ${callAdded} end`,
    `create trigger calls_removed after delete on calls begin ${callRemoved} end`,
    `create trigger call_numbers_added after insert on call_numbers
      when not exists (select 1 from number_endings where ending = new.number and number = new.number) begin
      ${newNumber} end`,
    `create trigger call_providers_added after insert on call_providers begin ${providerAdded} end`,
    `create trigger call_providers_removed after delete on call_providers begin ${providerRemoved} end`,
    // `insert or replace` removes the old row without telling its triggers.
    `create trigger cdr_leg_replaced before insert on cdr_general
      when new.id > 0 and exists (select 1 from cdr_general where id = new.id) begin
      ${remove('(select linkedid from cdr_general where id = new.id)')} end`,
    `create trigger cdr_leg_added after insert on cdr_general when new.linkedid <> '' begin
      ${remove('new.linkedid')} ${recount('new.linkedid')} end`,
    // Before, because what goes is found by the legs as they were.
    `create trigger cdr_leg_changing before update on cdr_general begin
      ${remove('old.linkedid')} ${remove('new.linkedid')} end`,
    `create trigger cdr_leg_changed after update on cdr_general begin
      ${remove('new.linkedid')} ${recount('new.linkedid')}
      ${remove('old.linkedid')} ${recount('old.linkedid')} end`,
    `create trigger cdr_leg_removing before delete on cdr_general begin ${remove('old.linkedid')} end`,
    `create trigger cdr_leg_removed after delete on cdr_general begin
      ${remove('old.linkedid')} ${recount('old.linkedid')} end`,
  ];
}

const remove = (linkedid: string) => `delete from calls where linkedid = ${linkedid};`;

/** Contract 5.3. The `+ 0` keeps the planner off the index by time. */
const recount = (linkedid: string) => `
  insert into calls (last_id, first_id, linkedid, started, start, src_num, src_name, dst_num, dst_name, did, disposition,
    outcome, duration, billsec)
  select s.last_id, s.first_id, f.linkedid, ${ms('f.start')}, coalesce(f.start, ''), coalesce(f.src_num, ''),
    coalesce(f.src_name, ''), coalesce(s.did, f.dst_num, ''), coalesce(f.dst_name, ''), coalesce(s.did, ''),
    coalesce(s.answered, f.disposition, ''),
    upper(replace(coalesce(s.answered, f.disposition, ''), ' ', '')), s.duration, s.billsec
  from (
    select max(id) as last_id, min(id) as first_id, total(duration) as duration, total(billsec) as billsec,
      min(case when upper(disposition) = 'ANSWERED' then disposition end) as answered,
      (select did from cdr_general where linkedid = ${linkedid} and did <> ''
        order by ${ms('start')} + 0, id limit 1) as did
    from cdr_general where linkedid = ${linkedid}
  ) s join cdr_general f on f.id = (
    select id from cdr_general where linkedid = ${linkedid} and linkedid <> ''
    order by ${ms('start')} + 0, id limit 1);`;

const numbersOf = (linkedid: string) => `
  select src_num as number, 1 as role from cdr_general where linkedid = ${linkedid} and src_num <> ''
  union select dst_num, 2 from cdr_general where linkedid = ${linkedid} and dst_num <> ''
  union select did, 3 from cdr_general where linkedid = ${linkedid} and did <> ''`;

const providersOf = (linkedid: string) => `
  select 'incoming' as direction, from_account as provider, disposition, duration, billsec
    from cdr_general where linkedid = ${linkedid} and from_account <> ''
  union all select 'outgoing', to_account, disposition, duration, billsec
    from cdr_general where linkedid = ${linkedid} and to_account <> ''`;

// Contract 5.7: CHANUNAVAIL is neither answered nor missed.
const callAdded = `
  insert into call_numbers (number, role, started, last_id)
    select number, role, new.started, new.last_id from (${numbersOf('new.linkedid')});
  insert into call_providers (started, linkedid, direction, provider, answered, missed, duration, billsec)
    select new.started, new.linkedid, direction, provider, answered, case when answered = 1 then 0 else reached end,
      duration, billsec
    from (select direction, provider, max(upper(coalesce(disposition, '')) = 'ANSWERED') as answered,
        max(upper(coalesce(disposition, '')) <> 'CHANUNAVAIL') as reached,
        total(duration) as duration, total(billsec) as billsec
      from (${providersOf('new.linkedid')}) group by direction, provider);
  insert into call_blocks (block, slot, calls, earliest, latest, lowest_id)
    select new.last_id >> 13, 0, 0, new.started, new.started, new.first_id
    where not exists (select 1 from call_blocks where block = new.last_id >> 13 and slot = 0);
  update call_blocks set calls = calls + 1, earliest = min(earliest, new.started), latest = max(latest, new.started),
      lowest_id = min(lowest_id, new.first_id)
    where block = new.last_id >> 13 and slot = 0;`;

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

const newNumber = `
  insert into number_endings (ending, number)
    with recursive endings(i) as (select 1 where length(new.number) <= ${LONGEST_TAKEN_APART}
      union all select i + 1 from endings where i < length(new.number))
    select distinct substr(new.number, i), new.number from endings;
  insert into long_numbers (number) select new.number
    where length(new.number) > ${LONGEST_TAKEN_APART}
      and not exists (select 1 from long_numbers where number = new.number);`;

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
