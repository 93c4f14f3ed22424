type Query = (text: string) => Promise<Record<string, unknown>[]> | Record<string, unknown>[];

const CALLS = `select c.last_id, c.first_id, c.linkedid, cast(c.duration as integer) as duration from calls c`;
const COUNTED_CALLS = `select max(id) as last_id, min(id) as first_id, linkedid, cast(coalesce(sum(duration), 0) as integer) as duration
  from cdr_general where linkedid <> '' group by linkedid`;
const NUMBERS = 'select number, role, started, last_id from call_numbers';
const COUNTED_NUMBERS = [
  ['src_num', 1],
  ['dst_num', 2],
  ['did', 3],
]
  .map(
    ([column, role]) => `select g.${column}, ${role}, c.started, c.last_id from calls c
      join cdr_general g on g.linkedid = c.linkedid where g.${column} <> ''`,
  )
  .join(' union ');
const PROVIDERS = 'select started, linkedid, direction, provider from call_providers';
const COUNTED_PROVIDERS = [
  ['incoming', 'from_account'],
  ['outgoing', 'to_account'],
]
  .map(
    ([direction, column]) => `select c.started, c.linkedid, '${direction}', g.${column} from calls c
      join cdr_general g on g.linkedid = c.linkedid where g.${column} <> ''`,
  )
  .join(' union ');
const BLOCKS =
  'select block, cast(sum(calls) as integer) as calls from call_blocks group by block having sum(calls) <> 0';
const COUNTED_BLOCKS = 'select last_id >> 13, cast(count(*) as integer) from calls group by 1';
const DAYS = `select day, direction, provider, cast(sum(calls) as integer) as calls from provider_days
  group by day, direction, provider having sum(calls) <> 0`;
const COUNTED_DAYS = `select cast(started / 86400000 as integer), direction, provider, cast(count(*) as integer) from call_providers
  group by 1, 2, 3`;

/** Rows missing from or left over in the tables derived from the legs; there should be none. */
export async function bookErrors(query: Query): Promise<Record<string, unknown>[]> {
  const pairs = [
    [CALLS, COUNTED_CALLS],
    [NUMBERS, COUNTED_NUMBERS],
    [PROVIDERS, COUNTED_PROVIDERS],
    [BLOCKS, COUNTED_BLOCKS],
    [DAYS, COUNTED_DAYS],
  ] as const;
  const found: Record<string, unknown>[] = [];
  for (const [kept, counted] of pairs) {
    found.push(...(await query(`select * from (${kept}) k except select * from (${counted}) c`)));
    found.push(...(await query(`select * from (${counted}) c except select * from (${kept}) k`)));
  }
  return found;
}
