import { type RawBuilder, sql } from 'kysely';
import type { SqlKind } from '../../../store/sql/migrate.ts';
import type { CallFilter } from './call-filter.ts';

/** In `call_numbers`: the column of a leg in which a number stood. */
const ROLES = { src_num: 1, dst_num: 2, did: 3 } as const;
type NumberColumn = keyof typeof ROLES;

/** After a prefix, sorts after every text with that prefix, in both databases. */
const LAST_CHARACTER = '\u{10ffff}';

/** A filter by number (contract 5.2), and the numbers of the whole history that it matches. */
export interface NumberFilter {
  readonly text: string;
  readonly columns: readonly NumberColumn[];
  /** Numbers that match without containing the text: of employees whose name does. */
  readonly named: readonly string[];
  /** `undefined`: too many to be listed. */
  readonly numbers: readonly string[] | undefined;
}

interface LookupParts {
  readonly rows: <T>(query: RawBuilder<T>) => Promise<T[]>;
  /** More numbers than this are not listed. */
  readonly atMost: number;
}

export async function findNumbers(
  filter: CallFilter,
  { rows, atMost }: LookupParts,
): Promise<NumberFilter[]> {
  const { srcNum, dstNum, did, search } = filter;
  const asked: [text: string | undefined, columns: readonly NumberColumn[], named: readonly string[]][] = [
    [srcNum, ['src_num'], []],
    [dstNum, ['dst_num', 'did'], []],
    [did, ['did'], []],
    [search?.text, ['src_num', 'dst_num', 'did'], search?.numbers ?? []],
  ];
  const found: NumberFilter[] = [];
  for (const [text, columns, named] of asked) {
    if (text === undefined) continue;
    const known = await rows(containing(text, atMost + 1) as RawBuilder<{ number: string }>);
    const numbers =
      known.length > atMost ? undefined : [...new Set([...known.map((k) => k.number), ...named])];
    found.push({ text, columns, named, numbers });
  }
  return found;
}

/** Every number that contains the text has an ending that begins with it, or is not taken apart. */
const containing = (text: string, limit?: number): RawBuilder<unknown> => sql`
  select number from (
    select distinct e.number from number_endings e
    where e.ending >= ${text} and e.ending < ${text + LAST_CHARACTER} ${limit === undefined ? sql`` : sql`limit ${limit}`}) k
  union all select w.number from whole_numbers w where replace(w.number, ${text}, '') <> w.number`;

/** SQL for the entries of `call_numbers` (`n`) that a filter matches. */
export function numberEntries(
  kind: SqlKind,
  { text, columns, named, numbers }: NumberFilter,
): RawBuilder<unknown> {
  const roles = sql.join(columns.map((column) => sql.lit(ROLES[column])));
  if (numbers) return sql`n.role in (${roles}) and ${isOneOf(kind, sql`n.number`, numbers)}`;
  const byName = named.length === 0 ? sql`` : sql` or ${isOneOf(kind, sql`n.number`, named)}`;
  return sql`n.role in (${roles}) and (n.number in (${containing(text)})${byName})`;
}

/** As one parameter, so that the statement is the same for any count. */
export const isOneOf = (
  kind: SqlKind,
  value: RawBuilder<unknown>,
  list: readonly string[] | readonly number[],
): RawBuilder<unknown> =>
  kind === 'sqlite'
    ? sql`${value} in (select value from json_each(${JSON.stringify(list)}))`
    : sql`${value} = any(${list}::${sql.raw(typeof list[0] === 'number' ? 'bigint[]' : 'text[]')})`;

/** SQL for a filter on the columns of a single leg. */
export function legShows(kind: SqlKind, alias: string, filter: NumberFilter): RawBuilder<unknown> {
  const { text, columns, named } = filter;
  const position = sql.raw(kind === 'sqlite' ? 'instr' : 'strpos');
  const refs = columns.map((column) => sql.ref(`${alias}.${column}`));
  const ways = [
    ...refs.map((ref) => sql`${position}(${ref}, ${text}) > 0`),
    ...(named.length === 0 ? [] : refs.map((ref) => isOneOf(kind, ref, named))),
  ];
  return sql`(${sql.join(ways, sql` or `)})`;
}
