import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlKind } from './sql-kind.ts';

const TEXTS = [
  ...['start', 'answer', 'endtime', 'src_chan', 'src_num', 'src_name', 'dst_chan', 'dst_num', 'dst_name'],
  ...['UNIQUEID', 'linkedid', 'did', 'disposition', 'recordingfile', 'from_account', 'to_account'],
  ...['dialstatus', 'appname', 'is_app', 'work_completed', 'src_call_id', 'dst_call_id', 'verbose_call_id'],
  ...['rec_src_channel', 'dtmf_digits'],
];
const NUMBERS = ['transfer', 'duration', 'billsec', 'a_transfer'];
const DEFAULTS: Readonly<Record<string, string>> = { is_app: '0', work_completed: '1' };

/**
 * Legs, and the tables of what is kept from them: one row per call, the numbers of each call, its providers, and how many
 * calls lie where. `call-counting` says how.
 */
export function cdr(kind: SqlKind): Migration {
  return {
    async up(db) {
      await createLegs(db, kind);
      if (kind === 'postgres') await createWallClock(db);
      await createDerivedTables(db, kind);
      await sql.raw('create index cdr_general_linkedid on cdr_general (linkedid)').execute(db);
      const started = kind === 'postgres' ? 'cdr_wall_ms(start)' : `(${firstWallMs('start')})`;
      await sql.raw(`create index cdr_general_started on cdr_general (${started}, id)`).execute(db);
    },
  };
}

/** How SQLite read the wall clock until `old-sqlite-writers`. */
export const firstWallMs = (column: string): string =>
  `coalesce(case when ${column} glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'
    then cast(round(unixepoch(${column}, 'subsec') * 1000) as integer) end, 0)`;

async function createLegs(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  let table = db.schema
    .createTable('cdr_general')
    .addColumn('id', kind === 'sqlite' ? 'integer' : 'bigint', (column) =>
      (kind === 'sqlite' ? column.autoIncrement() : column.generatedByDefaultAsIdentity()).primaryKey(),
    );
  for (const name of TEXTS)
    table = table.addColumn(name, 'text', (column) => column.defaultTo(DEFAULTS[name] ?? ''));
  for (const name of NUMBERS) table = table.addColumn(name, 'integer', (column) => column.defaultTo(0));
  await table.execute();
}

async function createDerivedTables(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  const clustered = kind === 'sqlite' ? 'without rowid' : '';
  const id = kind === 'sqlite' ? 'integer' : 'bigint';
  const statements = [
    // A call is known by its newest leg: in this order nothing is missed by a client that syncs by `idFrom`.
    `create table calls (
      last_id ${id} not null primary key, first_id ${id} not null, linkedid text not null unique,
      started bigint not null, start text not null,
      src_num text not null, src_name text not null, dst_num text not null, dst_name text not null, did text not null,
      disposition text not null, outcome text not null, duration bigint not null, billsec bigint not null)`,
    'create index calls_started on calls (started, last_id)',
    'create index calls_outcome on calls (outcome, started, last_id)',
    // role: 1 source, 2 destination, 3 DID, of any leg
    `create table call_numbers (
      number text not null, role integer not null, started bigint not null, last_id ${id} not null,
      primary key (number, role, started, last_id)) ${clustered}`,
    // Every number with all its endings: whatever contains a text has an ending that begins with it. Unlike trigrams this
    // needs nothing of the database and serves texts of one or two digits. New numbers stay whole for a while, and are
    // scanned: triggers would pay dearly for a dozen rows all over a large table. On PostgreSQL without unique keys,
    // since two transactions must not wait for each other; a second entry does no harm.
    ...(kind === 'sqlite'
      ? [
          `create table number_endings (ending text not null, number text not null,
            primary key (ending, number)) without rowid`,
          'create table long_numbers (number text not null primary key) without rowid',
        ]
      : [
          'create table number_endings (ending text collate "C" not null, number text collate "C" not null)',
          'create index number_endings_ending on number_endings (ending, number)',
          'create table long_numbers (number text collate "C" not null)',
          'create index long_numbers_number on long_numbers (md5(number))',
        ]),
    `create table call_providers (
      started bigint not null, linkedid text not null, direction text not null, provider text not null,
      answered integer not null, missed integer not null, duration bigint not null, billsec bigint not null,
      primary key (started, linkedid, direction, provider)) ${clustered}`,
    // The same per day of the wall clock, so that the statistics of a year add up some hundred rows.
    `create table provider_days (
      day integer not null, direction text not null, provider text not null, slot integer not null,
      calls integer not null, answered integer not null, missed integer not null, duration bigint not null,
      billsec bigint not null, primary key (day, direction, provider, slot)) ${clustered}`,
    // Calls per 8192 ids: totals and far offsets need not walk over millions of rows. Slots keep concurrent
    // writers of PostgreSQL off each other's rows.
    `create table call_blocks (
      block ${id} not null, slot integer not null, calls integer not null, earliest bigint not null,
      latest bigint not null, lowest_id ${id} not null, primary key (block, slot)) ${clustered}`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/**
 * Never fails, or another tool could not insert what it takes for a time. Without an exception block, which could not
 * run in a parallel query; a day that the month does not have counts on into the next, as on SQLite.
 */
async function createWallClock(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function cdr_wall_ms(wall text) returns bigint language plpgsql immutable parallel safe as $$
    declare
      midnight bigint;
    begin
      if wall is null or wall !~ '^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])' then return 0; end if;
      midnight := (make_date(substr(wall, 1, 4)::integer, substr(wall, 6, 2)::integer, 1) - date '1970-01-01'
        + substr(wall, 9, 2)::integer - 1)::bigint * 86400000;
      if length(wall) = 10 then return midnight; end if;
      if wall !~ '^.{10}[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?$' then return 0; end if;
      return midnight + substr(wall, 12, 2)::integer * 3600000 + substr(wall, 15, 2)::integer * 60000
        + coalesce(nullif(substr(wall, 18, 2), '')::integer, 0) * 1000
        + substr(rpad(substr(wall, 21, 3), 3, '0'), 1, 3)::integer;
    end $$`.execute(db);
}
