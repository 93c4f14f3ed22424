/**
 * As on SQLite, but per statement, so that a batch costs little more than a row. The functions run as their owner: the
 * other tool may have rights on `cdr_general` only.
 */
export function postgresCallTriggers(schema: string): string[] {
  // A plan is kept for every size of statement; only walking the indexes is right for all of them.
  const plans =
    'jit = off set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off';
  const settings = `${schema}, pg_temp set ${plans} set enable_hashjoin = off set enable_mergejoin = off`;
  const create = (name: string, body: string) => `
    create function ${name}() returns trigger language plpgsql security definer
    set search_path = ${settings} as $$ begin ${body} return null; end $$`;
  const after = (event: string, table: string, transition: string, name: string) => `
    create trigger ${name} after ${event} on ${table} ${transition} for each statement execute function ${name}()`;

  return [
    recount(settings),
    create('calls_added', callsAdded),
    after('insert', 'calls', 'referencing new table as added', 'calls_added'),
    create('calls_removed', callsRemoved),
    after('delete', 'calls', 'referencing old table as gone', 'calls_removed'),
    create('call_providers_added', addToDays('added', '')),
    after('insert', 'call_providers', 'referencing new table as added', 'call_providers_added'),
    create('call_providers_removed', addToDays('gone', '-')),
    after('delete', 'call_providers', 'referencing old table as gone', 'call_providers_removed'),
    create('cdr_legs_added', `${legsAdded} ${countAgain('added')}`),
    after('insert', 'cdr_general', 'referencing new table as added', 'cdr_legs_added'),
    create(
      'cdr_legs_changed',
      countAgain('(select linkedid from added union all select linkedid from gone)'),
    ),
    after('update', 'cdr_general', 'referencing old table as gone new table as added', 'cdr_legs_changed'),
    create('cdr_legs_removed', countAgain('gone')),
    after('delete', 'cdr_general', 'referencing old table as gone', 'cdr_legs_removed'),
    create(
      'cdr_legs_truncated',
      'truncate calls, call_numbers, number_endings, whole_numbers, call_providers, provider_days, call_blocks;',
    ),
    after('truncate', 'cdr_general', '', 'cdr_legs_truncated'),
    // Before, because what goes is found by the legs as they were.
    `create function cdr_leg_going() returns trigger language plpgsql security definer
      set search_path = ${settings} as $$ begin
      delete from calls where linkedid = old.linkedid;
      if tg_op = 'DELETE' then return old; end if;
      if new.linkedid is distinct from old.linkedid then delete from calls where linkedid = new.linkedid; end if;
      return new; end $$`,
    `create trigger cdr_leg_going before update or delete on cdr_general
      for each row execute function cdr_leg_going()`,
  ];
}

// A sequence does not know ids that another tool chose, and would give them out again.
const legsAdded = `
  declare highest bigint;
  begin
    select max(id) into highest from added;
    if highest >= (select last_value + is_called::integer from cdr_general_id_seq) then
      perform pg_advisory_xact_lock('cdr_general_id_seq'::regclass::oid::bigint);
      perform setval('cdr_general_id_seq', highest)
        from cdr_general_id_seq where highest >= last_value + is_called::integer;
    end if;
  end;`;

const countAgain = (legs: string) => `
  perform cdr_recount(array(select distinct linkedid from ${legs} touched where linkedid <> '' order by linkedid));`;

/**
 * Contract 5.3. Two transactions may write legs of one call at once: the second waits in `insert`, finds the row of the
 * first, and counts again with the legs of both. The `+ 0` keeps the planner off the index by time.
 */
const recount = (settings: string) => `
  create function cdr_recount(ids text[]) returns void language plpgsql security definer
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
        upper(replace(coalesce(s.answered, f.disposition, ''), ' ', '')), s.duration, s.billsec
      from unnest(ids) as x(linkedid)
      cross join lateral (
        select g.*, cdr_wall_ms(g.start) as ms from cdr_general g where g.linkedid = x.linkedid
        order by cdr_wall_ms(g.start) + 0, g.id limit 1) f
      cross join lateral (
        select max(id) as last_id, min(id) as first_id, coalesce(sum(duration), 0) as duration, coalesce(sum(billsec), 0) as billsec,
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
        coalesce(sum(g.duration), 0) as duration, coalesce(sum(g.billsec), 0) as billsec
      from ${legsOf('added')}
      cross join lateral (values ('incoming', g.from_account), ('outgoing', g.to_account)) as p(direction, provider)
      where p.provider <> '' group by 1, 2, 3, 4) legs;
  insert into call_blocks as b (block, slot, calls, earliest, latest, lowest_id)
    select last_id >> 13, pg_backend_pid() % 64, count(*), min(started), max(started), min(first_id)
    from added group by 1 order by 1
    on conflict (block, slot) do update set calls = b.calls + excluded.calls,
      earliest = least(b.earliest, excluded.earliest), latest = greatest(b.latest, excluded.latest),
      lowest_id = least(b.lowest_id, excluded.lowest_id);`;

const callsRemoved = `
  if not exists (select 1 from gone) then return null; end if;
  delete from call_numbers where ctid = any(array(
    select n.at from (${numbersOf('gone')}) o cross join lateral (
      select ctid as at from call_numbers where number = o.number and role = o.role and started = o.started
        and last_id = o.last_id offset 0) n));
  delete from call_providers where ctid = any(array(
    select p.at from gone cross join lateral (
      select ctid as at from call_providers where started = gone.started and linkedid = gone.linkedid offset 0) p));
  insert into call_blocks as b (block, slot, calls, earliest, latest, lowest_id)
    select last_id >> 13, pg_backend_pid() % 64, -count(*), min(started), max(started), min(first_id)
    from gone group by 1 order by 1
    on conflict (block, slot) do update set calls = b.calls + excluded.calls;`;

/** Slots, as with blocks, keep concurrent writers off each other's rows. */
const addToDays = (rows: string, sign: '' | '-') => `
  insert into provider_days as d (day, direction, provider, slot, calls, answered, missed, duration, billsec)
    select started / 86400000, direction, provider, pg_backend_pid() % 64, ${sign}count(*), ${sign}sum(answered),
      ${sign}sum(missed), ${sign}sum(duration), ${sign}sum(billsec)
    from ${rows} group by 1, 2, 3 order by 1, 2, 3
    on conflict (day, direction, provider, slot) do update set calls = d.calls + excluded.calls,
      answered = d.answered + excluded.answered, missed = d.missed + excluded.missed,
      duration = d.duration + excluded.duration, billsec = d.billsec + excluded.billsec;`;
