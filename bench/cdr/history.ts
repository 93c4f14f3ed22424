// A call history like that of a busy exchange, generated inside the database: inserting 5 000 000 rows through the
// triggers would take most of an hour.
import type { SqlKind } from '../../server/src/store/sql/migrate.ts';
import { wallMs } from '../../server/src/store/sql/wall-ms.ts';

/** Five legs make three calls: one of a single leg, two of two legs each. */
export const LEGS_PER_GROUP = 5;
export const CALLS_PER_GROUP = 3;
/** Default end of the history; the legs are spread evenly over this many days before it. */
export const LAST_MOMENT = Date.UTC(2026, 9, 31, 23, 59, 59);
export const DAYS = 3 * 365;
const EXTENSIONS = 500;
const OUTSIDE_NUMBERS = 400_000;
const PROVIDERS = 4;

export interface HistoryOptions {
  readonly legs: number;
  readonly lastMoment?: number;
}

/** Fills an empty database, statement by statement; `raw` calls the driver directly. */
export async function writeHistory(
  kind: SqlKind,
  { legs, lastMoment = LAST_MOMENT }: HistoryOptions,
  raw: (sql: string) => Promise<{ [column: string]: unknown }[]>,
): Promise<void> {
  const triggers = await pauseTriggers(kind, raw);
  await raw('drop index cdr_general_linkedid');
  await raw('drop index cdr_general_started');
  await raw(legsStatement(kind, legs, lastMoment));
  await raw('create index cdr_general_linkedid on cdr_general (linkedid)');
  const started = kind === 'postgres' ? wallMs(kind, 'start') : `(${wallMs(kind, 'start')})`;
  await raw(`create index cdr_general_started on cdr_general (${started}, id)`);
  for (const statement of derivedStatements(kind)) await raw(statement);
  if (kind === 'postgres') await raw(`select setval('cdr_general_id_seq', ${legs})`);
  await triggers.resume();
  await raw(kind === 'postgres' ? 'vacuum analyze' : 'analyze');
}

/** A sample of calls that the triggers recompute; the result must equal what was written here. */
export const SAMPLE = `select c.*, (select count(*) from call_providers p where p.started = c.started and p.linkedid = c.linkedid)
    as providers, (select count(*) from call_numbers n where n.number = c.src_num and n.role = 1 and n.started = c.started
    and n.last_id = c.last_id) as sources, (select count(*) from number_endings e where e.number = c.src_num and
    e.ending = substr(c.src_num, 2)) as endings, (select sum(d.duration) from provider_days d where d.day = c.started / 86400000)
    as duration_of_day from calls c where c.last_id % 99991 = 0 order by c.last_id`;
export const TOUCH_SAMPLE = `update cdr_general set src_num = src_num where linkedid in
  (select linkedid from calls c where c.last_id % 99991 = 0)`;

async function pauseTriggers(kind: SqlKind, raw: (sql: string) => Promise<{ [column: string]: unknown }[]>) {
  if (kind === 'postgres') {
    const tables = ['cdr_general', 'calls', 'call_numbers', 'call_providers'];
    for (const table of tables) await raw(`alter table ${table} disable trigger user`);
    return {
      async resume() {
        for (const table of tables) await raw(`alter table ${table} enable trigger user`);
      },
    };
  }
  const triggers = await raw(`select name, sql from sqlite_master where type = 'trigger'
    and tbl_name in ('cdr_general', 'calls', 'call_numbers', 'call_providers')`);
  for (const { name } of triggers) await raw(`drop trigger ${name}`);
  return {
    async resume() {
      for (const { sql } of triggers) await raw(String(sql));
    },
  };
}

/** A pseudo-random number, the same in every run. */
const dice = (seed: string, sides: number) => `(((${seed}) * 2654435761) % 4294967291 % ${sides})`;

function legsStatement(kind: SqlKind, legs: number, lastMoment: number): string {
  const isSqlite = kind === 'sqlite';
  const stepMs = (DAYS * 86_400_000) / legs;
  const numbered = isSqlite
    ? `with recursive ids(i) as (select 0 union all select i + 1 from ids where i < ${legs - 1})`
    : `with ids as (select i from generate_series(0, ${legs - 1}) as i)`;
  const clock = (ms: string) =>
    isSqlite
      ? `strftime('%Y-%m-%d %H:%M:%f', (${ms}) / 1000.0, 'unixepoch')`
      : `to_char(timestamp '1970-01-01' + (${ms}) * interval '1 millisecond', 'YYYY-MM-DD HH24:MI:SS.MS')`;
  const big = isSqlite ? 'i' : 'i::bigint';
  const at = `${lastMoment - DAYS * 86_400_000} + cast(${big} * ${stepMs} as ${isSqlite ? 'integer' : 'bigint'})`;
  const text = (value: string) => `cast(${value} as text)`;
  // Legs 0 | 1 2 | 3 4 of a group are its calls 0, 1, 2.
  const call = `(${big} / 5 * 3 + (${big} % 5 + 1) / 2)`;
  const inside = (seed: string) => text(`100 + ${dice(seed, EXTENSIONS)}`);
  const outside = (seed: string) => `'+49' || ${text(`1510000000 + ${dice(seed, OUTSIDE_NUMBERS)} * 1237`)}`;
  return `${numbered},
    shaped as (select ${big} as i, ${call} as c, ${dice(call, 10)} as sort, ${dice(big, 240)} as seconds,
      ${dice(`${call} + 17`, PROVIDERS)} as provider, ${at} as ms from ids)
    insert into cdr_general (id, start, answer, endtime, src_chan, src_num, src_name, dst_chan, dst_num, dst_name,
      ${isSqlite ? 'UNIQUEID' : '"UNIQUEID"'}, linkedid, did, disposition, recordingfile, from_account, to_account, dialstatus,
      dtmf_digits, duration, billsec)
    select i + 1, ${clock('ms')}, case when sort < 7 then ${clock('ms + 5000')} else '' end, ${clock('ms + seconds * 1000 + 5000')},
      'PJSIP/' || ${text('i')}, case when sort < 5 then ${outside('c')} else ${inside('c + 3')} end, 'Caller ' || ${text('c % 5000')},
      'PJSIP/' || ${text('i + 1')}, case when sort < 5 then ${inside('i + 5')} when sort < 8 then ${outside('c + 9')} else ${inside('i + 7')} end,
      'Callee ' || ${text('i % 500')}, 'bench-' || ${text('i')}, 'bench-call-' || ${text('c')},
      case when sort < 5 then '+493012345' || ${text('provider')} else '' end,
      case when sort < 7 then 'ANSWERED' when sort = 7 then 'NO ANSWER' when sort = 8 then 'BUSY' else 'CHANUNAVAIL' end, '',
      case when sort < 5 then 'SIP-TRUNK-' || ${text('provider')} else '' end,
      case when sort between 5 and 7 then 'SIP-TRUNK-' || ${text('provider')} else '' end,
      case when sort < 7 then 'ANSWER' else 'NOANSWER' end, '', seconds + 5, case when sort < 7 then seconds else 0 end
    from shaped`;
}

/** Fills the tables that the triggers would have filled. */
function derivedStatements(kind: SqlKind): string[] {
  const started = wallMs(kind, 'f.start');
  const endings =
    kind === 'sqlite'
      ? `with recursive places(i) as (select 1 union all select i + 1 from places where i < 40)
        select substr(number, i), number from (select distinct number from call_numbers) k cross join places
        where i <= length(number)`
      : `select substr(number, i), number from (select distinct number from call_numbers) k
        cross join lateral generate_series(1, length(number)) as i where true`;
  // Written in order, every page of SQLite's trees would be full, and each new row would split one. Pages of a history
  // that grew have free space; inserting the second half between the rows of the first leaves about as much.
  const inTurns = (seed: string, statement: (only: string) => string) =>
    kind === 'sqlite' ? [0, 1].map((turn) => statement(`${dice(seed, 2)} = ${turn}`)) : [statement('true')];
  const numbers = `select g.src_num as number, 1 as role, g.linkedid from cdr_general g where g.src_num <> ''
    union all select g.dst_num, 2, g.linkedid from cdr_general g where g.dst_num <> ''
    union all select g.did, 3, g.linkedid from cdr_general g where g.did <> ''`;
  const providers = `select 'incoming' as direction, from_account as provider, linkedid, disposition, duration, billsec
      from cdr_general where from_account <> ''
    union all select 'outgoing', to_account, linkedid, disposition, duration, billsec from cdr_general where to_account <> ''`;
  return [
    `insert into calls (last_id, first_id, linkedid, started, start, src_num, src_name, dst_num, dst_name, did, disposition,
        outcome, duration, billsec)
      select s.last_id, s.first_id, f.linkedid, ${started}, f.start, f.src_num, f.src_name,
        case when f.did <> '' then f.did else f.dst_num end, f.dst_name, f.did, f.disposition,
        upper(replace(f.disposition, ' ', '')), s.duration, s.billsec
      from (select max(id) as last_id, min(id) as first_id, sum(duration) as duration, sum(billsec) as billsec
        from cdr_general group by linkedid) s join cdr_general f on f.id = s.first_id order by s.last_id`,
    ...inTurns(
      'c.last_id',
      (only) => `insert into call_numbers (number, role, started, last_id)
        select n.number, n.role, c.started, c.last_id from (${numbers}) n join calls c on c.linkedid = n.linkedid
        where ${only} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    ),
    ...inTurns(
      'cast(number as integer)',
      (only) => `insert into number_endings (ending, number) ${endings} and ${only} order by 1, 2`,
    ),
    `insert into call_providers (started, linkedid, direction, provider, answered, missed, duration, billsec)
      select c.started, c.linkedid, p.direction, p.provider, max(case when p.disposition = 'ANSWERED' then 1 else 0 end),
        case when max(case when p.disposition = 'ANSWERED' then 1 else 0 end) = 1 then 0
          else max(case when p.disposition <> 'CHANUNAVAIL' then 1 else 0 end) end, sum(p.duration), sum(p.billsec)
      from (${providers}) p join calls c on c.linkedid = p.linkedid group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    `insert into provider_days (day, direction, provider, slot, calls, answered, missed, duration, billsec)
      select started / 86400000, direction, provider, 0, count(*), sum(answered), sum(missed), sum(duration), sum(billsec)
      from call_providers group by 1, 2, 3`,
    `insert into call_blocks (block, slot, calls, earliest, latest, lowest_id)
      select last_id >> 13, 0, count(*), min(started), max(started), min(first_id) from calls group by 1`,
  ];
}
