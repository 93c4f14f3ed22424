/** As on SQLite. The triggers stay; the two functions that count are other ones from here on. */
export function postgresApplicationCalls(schema: string): string[] {
  // A plan is kept for every size of statement; only walking the indexes is right for all of them.
  const plans =
    'jit = off set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off';
  const settings = `${schema}, pg_temp set ${plans} set enable_mergejoin = off`;
  return [
    recount(settings),
    `create or replace function calls_added() returns trigger language plpgsql security definer
      set search_path = ${settings} as $$ begin ${callsAdded} return null; end $$`,
  ];
}

/** Contract 29.2: from the earliest start to the latest end. What another tool wrote may lack either. */
const lasted = `(
  select greatest(0, max(case when cdr_wall_ms(d.endtime) > 0 then cdr_wall_ms(d.endtime)
    else cdr_wall_ms(d.start) + 1000 * coalesce(d.duration, 0)::bigint end) - min(cdr_wall_ms(d.start))) / 1000
  from cdr_general d where d.linkedid = x.linkedid and cdr_wall_ms(d.start) + 0 > 0
  having count(*) > 0)`;

/**
 * Contract 5.3. Two transactions may write legs of one call at once: the second waits in `insert`, finds the row of the
 * first, and counts again with the legs of both. The `+ 0` keeps the planner off the index by time.
 */
const recount = (settings: string) => `
  create or replace function cdr_recount(ids text[]) returns void language plpgsql security definer
  set search_path = ${settings} as $$
  declare
    made integer;
    wanted integer;
  begin
    if cardinality(ids) = 0 then return; end if;
    loop
      delete from calls where linkedid = any(ids);
      insert into calls (last_id, first_id, linkedid, started, start, src_num, src_name, dst_num, dst_name, did, disposition,
        outcome, duration, billsec)
      select s.last_id, s.first_id, x.linkedid, f.ms, coalesce(f.start, ''), coalesce(f.src_num, ''), coalesce(f.src_name, ''),
        coalesce(s.did, f.dst_num, ''), coalesce(f.dst_name, ''), coalesce(s.did, ''),
        coalesce(s.answered, f.disposition, ''),
        upper(replace(coalesce(s.answered, f.disposition, ''), ' ', '')),
        coalesce(case when s.has_application then ${lasted} end, s.duration), s.billsec
      from unnest(ids) as x(linkedid)
      cross join lateral (
        select g.*, cdr_wall_ms(g.start) as ms from cdr_general g where g.linkedid = x.linkedid
        order by cdr_wall_ms(g.start) + 0, g.id limit 1) f
      cross join lateral (
        select max(id) as last_id, min(id) as first_id, coalesce(sum(duration), 0) as duration, coalesce(sum(billsec), 0) as billsec,
          bool_or(is_app = '1') as has_application,
          min(case when upper(disposition) = 'ANSWERED' then disposition end) as answered,
          (array_agg(did order by cdr_wall_ms(start), id) filter (where did <> ''))[1] as did
        from cdr_general g where g.linkedid = x.linkedid) s
      on conflict do nothing;
      get diagnostics made = row_count;
      select count(*) into wanted from unnest(ids) as x(linkedid)
        where (select true from cdr_general g where g.linkedid = x.linkedid limit 1);
      exit when made >= wanted;
    end loop;
  end $$`;

/** `offset 0` keeps the planner from turning the loop around: it plans once, when the tables may still be empty. */
const legsOf = (calls: string) => `
  ${calls} c cross join lateral (select * from cdr_general l where l.linkedid = c.linkedid offset 0) g`;

const numbersOf = (calls: string) => `
  select distinct n.number, n.role, c.started, c.last_id from ${legsOf(calls)}
  cross join lateral (values (g.src_num, 1), (g.dst_num, 2), (g.did, 3)) as n(number, role)
  where n.number <> ''`;

// Contract 5.7: CHANUNAVAIL is neither answered nor missed.
const callsAdded = `
  insert into call_numbers (number, role, started, last_id) ${numbersOf('added')};
  insert into whole_numbers (number) select distinct number from (${numbersOf('added')}) n
    where (select true from number_endings k where k.ending = n.number and k.number = n.number limit 1) is null
      and (select true from whole_numbers k where md5(k.number) = md5(n.number) limit 1) is null;
  insert into call_providers (started, linkedid, direction, provider, answered, missed, duration, billsec)
    select started, linkedid, direction, provider, answered, case when answered = 1 then 0 else reached end,
      duration, billsec
    from (
      select c.started, c.linkedid, p.direction, p.provider,
        max((upper(coalesce(g.disposition, '')) = 'ANSWERED')::integer) as answered,
        max((upper(coalesce(g.disposition, '')) <> 'CHANUNAVAIL')::integer) as reached,
        case when bool_or(g.is_app = '1') then max(c.duration) else coalesce(sum(g.duration), 0) end as duration,
        coalesce(sum(g.billsec), 0) as billsec
      from ${legsOf('added')}
      cross join lateral (values ('incoming', g.from_account), ('outgoing', g.to_account)) as p(direction, provider)
      where p.provider <> '' group by 1, 2, 3, 4) legs;
  insert into call_blocks as b (block, slot, calls, earliest, latest, lowest_id)
    select last_id >> 13, pg_backend_pid() % 64, count(*), min(started), max(started), min(first_id)
    from added group by 1 order by 1
    on conflict (block, slot) do update set calls = b.calls + excluded.calls,
      earliest = least(b.earliest, excluded.earliest), latest = greatest(b.latest, excluded.latest),
      lowest_id = least(b.lowest_id, excluded.lowest_id);`;
