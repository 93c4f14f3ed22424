/** What `calls` and its numbers, providers and blocks are made of. */
const COUNTED = `id, start, endtime, src_num, src_name, dst_num, dst_name, linkedid, did, disposition, from_account,
  to_account, is_app, duration, billsec`;

/** The wall clock of a column as a number, as the index by time holds it. */
function wallMs(column: string): string {
  return `coalesce(case when ${column} glob '[0-9][0-9][0-9][0-9]-*'
    then cast(round(julianday(substr(${column}, 1, 19)) * 86400 - 210866760000) as integer) * 1000
      + case substr(${column}, 20, 1) when '.' then cast(substr(${column} || '00', 21, 3) as integer) else 0 end end, 0)`;
}

/** As the service counts from here on. `linkedids` is a set in SQL. */
function countCalls(linkedids: string): string[] {
  const counted = `calls c where c.linkedid in ${linkedids}`;
  // Contract 29.2: from the earliest start to the latest end. What another tool wrote may lack either.
  const lasted = `(select max(0, max(case when ${wallMs('d.endtime')} > 0 then ${wallMs('d.endtime')}
            else ${wallMs('d.start')} + 1000 * coalesce(d.duration, 0) end) - min(${wallMs('d.start')})) / 1000
            from cdr_general d where d.linkedid = g.linkedid and ${wallMs('d.start')} + 0 > 0)`;
  const legs = `calls c cross join cdr_general g on g.linkedid = c.linkedid`;
  return [
    `delete from calls where linkedid in ${linkedids}`,
    // Contract 5.3. The `+ 0` keeps the planner off the index by time.
    `insert into calls (last_id, first_id, linkedid, started, start, src_num, src_name, dst_num, dst_name, did,
        disposition, outcome, duration, billsec)
      select s.last_id, s.first_id, f.linkedid, ${wallMs('f.start')}, coalesce(f.start, ''), coalesce(f.src_num, ''),
        coalesce(f.src_name, ''), coalesce(s.did, f.dst_num, ''), coalesce(f.dst_name, ''), coalesce(s.did, ''),
        coalesce(s.answered, f.disposition, ''),
        upper(replace(coalesce(s.answered, f.disposition, ''), ' ', '')), s.duration, s.billsec
      from (
        select max(g.id) as last_id, min(g.id) as first_id, total(g.billsec) as billsec,
          coalesce(case when max(g.is_app = '1') then ${lasted} end, total(g.duration)) as duration,
          min(case when upper(g.disposition) = 'ANSWERED' then g.disposition end) as answered,
          case when max(g.did) <> '' then (select did from cdr_general d where d.linkedid = g.linkedid and d.did <> ''
            order by ${wallMs('d.start')} + 0, d.id limit 1) end as did,
          case when max(g.id) = min(g.id) then max(g.id) else (select id from cdr_general d
            where d.linkedid = g.linkedid order by ${wallMs('d.start')} + 0, d.id limit 1) end as earliest_id
        from cdr_general g where g.linkedid in ${linkedids} and g.linkedid <> '' group by g.linkedid
      ) s cross join cdr_general f on f.id = s.earliest_id order by s.last_id`,
    `insert into call_numbers (number, role, started, last_id)
      select distinct case r.role when 1 then g.src_num when 2 then g.dst_num else g.did end as number, r.role,
        c.started, c.last_id
      from ${legs} cross join (select 1 as role union all select 2 union all select 3) r
      where c.linkedid in ${linkedids} and number <> ''`,
    // Contract 5.7: CHANUNAVAIL is neither answered nor missed.
    `insert into call_providers (started, linkedid, direction, provider, answered, missed, duration, billsec)
      select started, linkedid, direction, provider, answered, case when answered = 1 then 0 else reached end, duration,
        billsec
      from (select c.started, c.linkedid, d.direction,
          case d.direction when 'incoming' then g.from_account else g.to_account end as provider,
          max(upper(coalesce(g.disposition, '')) = 'ANSWERED') as answered,
          max(upper(coalesce(g.disposition, '')) <> 'CHANUNAVAIL') as reached,
          case when max(g.is_app = '1') then max(c.duration) else total(g.duration) end as duration,
          total(g.billsec) as billsec
        from ${legs} cross join (select 'incoming' as direction union all select 'outgoing') d
        where c.linkedid in ${linkedids} and provider <> '' group by 1, 2, 3, 4)`,
    `insert into call_blocks (block, slot, calls, earliest, latest, lowest_id)
      select c.last_id >> 13, 0, 0, c.started, c.started, c.first_id from ${counted}
        and not exists (select 1 from call_blocks where block = c.last_id >> 13 and slot = 0) group by 1`,
    `update call_blocks set calls = calls + n.added, earliest = min(earliest, n.first), latest = max(latest, n.last),
        lowest_id = min(lowest_id, n.lowest)
      from (select c.last_id >> 13 as block, count(*) as added, min(c.started) as first, max(c.started) as last,
        min(c.first_id) as lowest from ${counted} group by 1) n
      where call_blocks.block = n.block and slot = 0`,
  ];
}

const count = (linkedids: string) =>
  countCalls(linkedids)
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

const ofReplaced = (column: string) => `select ${column} from replaced_legs where id = new.id`;
const leaveReplaced = forgetNumbers(
  (column) => `(${ofReplaced(column)})`,
  (column) => `(${ofReplaced(column)})`,
);

/**
 * Triggers of SQLite from `application-calls` on. Those that note what `or replace` removes stay as `old-sqlite-writers`
 * made them. No conflict clauses: `insert or …` of the other tool would override them.
 */
export const SQLITE_APPLICATION_CALLS: readonly string[] = [
  ...['added', 'changed', 'moved', 'removed'].map((event) => `drop trigger cdr_leg_${event}`),
  // One for both: where the writer counts, each trigger of an insert costs a hundredth of it.
  `create trigger cdr_leg_added after insert on cdr_general when not exists (select 1 from leg_batches) begin
    ${leaveReplaced}
    ${count(`(select new.linkedid union ${ofReplaced('linkedid')})`)}
    delete from replaced_legs; end`,
  `create trigger cdr_leg_changed after update of ${COUNTED} on cdr_general when new.id = old.id begin
    ${leaveCall}
    ${count('(select new.linkedid union select old.linkedid)')} end`,
  // Not "of id": the column can also be named "rowid".
  `create trigger cdr_leg_moved after update on cdr_general when new.id <> old.id begin
    ${leaveCall}
    ${leaveReplaced}
    ${count(`(select new.linkedid union select old.linkedid union ${ofReplaced('linkedid')})`)}
    delete from replaced_legs; end`,
  `create trigger cdr_leg_removed after delete on cdr_general begin
    ${leaveCall}
    ${count('(select old.linkedid)')} end`,
];
