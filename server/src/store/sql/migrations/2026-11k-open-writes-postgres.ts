/**
 * Ids of a sequence are not committed in their order. So that a reader can stop before one that is still to come
 * (contract 17.11), every transaction that inserts shows first, as the key of an advisory lock, the last id given out
 * before: it will only commit greater ones. Locks are seen by others at once, and are gone right after the commit is seen.
 */
export function postgresOpenWrites(schema: string): string[] {
  const within = `set search_path = ${schema}, pg_temp`;
  const begin = (table: string, sequence: string) => `
    create trigger note_open_write before insert on ${table}
    for each statement execute function note_open_write('${sequence}')`;
  return [
    // The upper bits of a key say of which sequence, the lower 42 the id.
    `create function open_write_kind(sequence regclass) returns bigint language sql immutable
      as $$ select sequence::oid::bigint % 1048575 + 1 $$`,
    // Once per transaction: each lock takes room in a table of the server that is shared by all.
    `create function note_open_write() returns trigger language plpgsql security definer ${within} as $$
    declare
      noted text := 'pbxcore.open_write_' || tg_relid;
    begin
      if coalesce(current_setting(noted, true), '') = '' then
        perform pg_advisory_xact_lock_shared(
          (open_write_kind(tg_argv[0]::regclass) << 42) | coalesce(pg_sequence_last_value(tg_argv[0]::regclass), 0));
        perform set_config(noted, '1', true);
      end if;
      return null;
    end $$`,
    // First the sequence, then the locks, and the reader looks at the rows afterwards: who begins in between gets ids
    // above the first, who ends in between is seen.
    `create function settled_id(sequence regclass) returns bigint language plpgsql security definer ${within} as $$
    declare
      given_out bigint := coalesce(pg_sequence_last_value(sequence), 0);
      before_open bigint;
    begin
      select min(key & ((1::bigint << 42) - 1)) into before_open
        from (select (classid::bigint << 32) | objid::bigint as key from pg_locks
          where locktype = 'advisory' and objsubid = 1
            and database = (select oid from pg_database where datname = current_database())) locks
        where key >> 42 = open_write_kind(sequence);
      return least(given_out, before_open);
    end $$`,
    begin('cdr_general', 'cdr_general_id_seq'),
    begin('cdr_deletions', 'cdr_deletions_position_seq'),
  ];
}
