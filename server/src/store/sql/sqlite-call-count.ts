import { wallMs } from './wall-ms.ts';

/**
 * SQL that deletes the calls of these linkedids and rebuilds them from their legs, with their numbers, providers and
 * blocks. `linkedids` is a set in SQL, so that many legs are counted at once. The triggers contain the same SQL for the
 * linkedid of one row, so it uses nothing newer than SQLite 3.34, and a change needs a migration that recreates them.
 */
export function countCalls(linkedids: string): string[] {
  const ms = (column: string) => wallMs('sqlite', column);
  const counted = `calls c where c.linkedid in ${linkedids}`;
  // Contract 29.2: from the earliest start to the latest end. Rows of other tools may lack either.
  const lasted = `(select max(0, max(case when ${ms('d.endtime')} > 0 then ${ms('d.endtime')}
            else ${ms('d.start')} + 1000 * coalesce(d.duration, 0) end) - min(${ms('d.start')})) / 1000
            from cdr_general d where d.linkedid = g.linkedid and ${ms('d.start')} + 0 > 0)`;
  const legs = `calls c cross join cdr_general g on g.linkedid = c.linkedid`;
  return [
    `delete from calls where linkedid in ${linkedids}`,
    // Contract 5.3. The `+ 0` keeps the planner off the index by time.
    `insert into calls (last_id, first_id, linkedid, started, start, src_num, src_name, dst_num, dst_name, did,
        disposition, outcome, duration, billsec)
      select s.last_id, s.first_id, f.linkedid, ${ms('f.start')}, coalesce(f.start, ''), coalesce(f.src_num, ''),
        coalesce(f.src_name, ''), coalesce(s.did, f.dst_num, ''), coalesce(f.dst_name, ''), coalesce(s.did, ''),
        coalesce(s.answered, f.disposition, ''),
        upper(replace(coalesce(s.answered, f.disposition, ''), ' ', '')), s.duration, s.billsec
      from (
        select max(g.id) as last_id, min(g.id) as first_id, total(g.billsec) as billsec,
          coalesce(case when max(g.is_app = '1') then ${lasted} end, total(g.duration)) as duration,
          min(case when upper(g.disposition) = 'ANSWERED' then g.disposition end) as answered,
          case when max(g.did) <> '' then (select did from cdr_general d where d.linkedid = g.linkedid and d.did <> ''
            order by ${ms('d.start')} + 0, d.id limit 1) end as did,
          case when max(g.id) = min(g.id) then max(g.id) else (select id from cdr_general d
            where d.linkedid = g.linkedid order by ${ms('d.start')} + 0, d.id limit 1) end as earliest_id
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
