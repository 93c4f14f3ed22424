import { type RawBuilder, sql } from 'kysely';
import type { SqlKind } from '../../store/sql/migrate.ts';
import { wallMs } from '../../store/sql/wall-ms.ts';

export const SORTS = [
  ...([
    'id',
    'start',
    'linkedid',
    'src_num',
    'dst_num',
    'did',
    'disposition',
    'duration',
    'billsec',
  ] as const),
] as const;
export type Sort = (typeof SORTS)[number];

export interface CallFilter {
  /** Wall clock, see lib/zoned-time. Both ends belong to it. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly srcNum?: string | undefined;
  readonly dstNum?: string | undefined;
  readonly did?: string | undefined;
  readonly search?: { readonly text: string; readonly numbers: readonly string[] } | undefined;
  /** Upper case without spaces. */
  readonly outcome?: string | undefined;
  readonly linkedid?: string | undefined;
  readonly idFrom?: number | undefined;
}

export interface CallOrder {
  readonly sort: Sort;
  readonly ascending: boolean;
}

type Condition = RawBuilder<unknown>;
const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);

const SOURCE = 1;
const DESTINATION = 2;
const DID = 3;

/** SQL of the filters of contract 5.2, for calls (`c`) and for legs (`l`). */
export function createCallSql(kind: SqlKind) {
  const contains = (column: string, text: string): Condition =>
    kind === 'sqlite'
      ? sql`instr(${sql.ref(column)}, ${text}) > 0`
      : sql`strpos(${sql.ref(column)}, ${text}) > 0`;
  const legStarted = (alias: string): Condition => sql.raw(wallMs(kind, `${alias}.start`));

  /** Each number is looked for among all numbers ever seen, then its calls are looked up. */
  function numberConditions(filter: CallFilter): Condition[] {
    const known = (condition: Condition) =>
      sql`n.number in (select k.number from known_numbers k where ${condition})`;
    const wanted: [string | undefined, readonly number[]][] = [
      [filter.srcNum, [SOURCE]],
      [filter.dstNum, [DESTINATION, DID]],
      [filter.did, [DID]],
    ];
    const conditions = wanted.flatMap(([text, roles]) =>
      text === undefined ? [] : [sql`n.role in (${list(roles)}) and ${known(contains('k.number', text))}`],
    );
    if (filter.search) {
      const { text, numbers } = filter.search;
      const named = numbers.length === 0 ? sql`` : sql` or k.number in (${list(numbers)})`;
      // The roles are named for the index.
      conditions.push(
        sql`n.role in (${list([SOURCE, DESTINATION, DID])}) and ${known(sql`(${contains('k.number', text)}${named})`)}`,
      );
    }
    return conditions;
  }

  function window(column: Condition, { from, to }: CallFilter): Condition[] {
    return [
      ...(from === undefined ? [] : [sql`${column} >= ${from}`]),
      ...(to === undefined ? [] : [sql`${column} <= ${to}`]),
    ];
  }

  /** What a single leg must show. */
  function legNumbers(alias: string, filter: CallFilter): Condition[] {
    const column = (name: string) => `${alias}.${name}`;
    const { srcNum, dstNum, did, search } = filter;
    const any = (text: string, names: readonly string[]) => names.map((name) => contains(column(name), text));
    const or = (conditions: readonly Condition[]) => sql`(${sql.join(conditions, sql` or `)})`;
    const every = ['src_num', 'dst_num', 'did'];
    return [
      ...(srcNum === undefined ? [] : [or(any(srcNum, ['src_num']))]),
      ...(dstNum === undefined ? [] : [or(any(dstNum, ['dst_num', 'did']))]),
      ...(did === undefined ? [] : [or(any(did, ['did']))]),
      ...(search === undefined
        ? []
        : [
            or([
              ...any(search.text, every),
              ...(search.numbers.length === 0
                ? []
                : every.map((name) => sql`${sql.ref(column(name))} in (${list(search.numbers)})`)),
            ]),
          ]),
    ];
  }

  return {
    window,
    legStarted,
    hasNumbers: (filter: CallFilter): boolean => numberConditions(filter).length > 0,

    /** Nothing but a window of time and `idFrom`. */
    isPlain: (filter: CallFilter): boolean =>
      numberConditions(filter).length === 0 && filter.outcome === undefined && filter.linkedid === undefined,

    /** The one filter by number, when nothing else but a window of time is asked. */
    onlyNumber(filter: CallFilter): Condition | undefined {
      const [first, ...more] = numberConditions(filter);
      if (!first || more.length > 0 || filter.outcome !== undefined || filter.linkedid !== undefined)
        return undefined;
      const newer = filter.idFrom === undefined ? [] : [sql`n.last_id > ${filter.idFrom}`];
      return all([first, ...window(sql`n.started`, filter), ...newer]);
    },

    calls(filter: CallFilter): Condition {
      const numbers = numberConditions(filter);
      const { outcome, linkedid, idFrom } = filter;
      return all([
        ...window(sql`c.started`, filter),
        ...(outcome === undefined ? [] : [sql`c.outcome = ${outcome}`]),
        ...(linkedid === undefined ? [] : [sql`c.linkedid = ${linkedid}`]),
        ...(idFrom === undefined ? [] : [sql`c.last_id > ${idFrom}`]),
        ...numbers.map((condition) => {
          const found = all([condition, ...window(sql`n.started`, filter)]);
          return sql`c.last_id in (select n.last_id from call_numbers n where ${found})`;
        }),
        // One leg must show all that is asked, not one leg this and another that.
        ...(numbers.length < 2
          ? []
          : [
              sql`exists (select 1 from cdr_general m where m.linkedid = c.linkedid and ${all(legNumbers('m', filter))})`,
            ]),
      ]);
    },

    legs(filter: CallFilter): Condition {
      const numbers = numberConditions(filter);
      const { outcome, linkedid, idFrom } = filter;
      return all([
        ...window(legStarted('l'), filter),
        ...(outcome === undefined
          ? []
          : [sql`upper(replace(coalesce(l.disposition, ''), ' ', '')) = ${outcome}`]),
        ...(linkedid === undefined ? [] : [sql`l.linkedid = ${linkedid}`]),
        ...(idFrom === undefined ? [] : [sql`l.id > ${idFrom}`]),
        ...numbers.map(
          (condition) => sql`l.linkedid in (select c.linkedid from calls c
            where c.last_id in (select n.last_id from call_numbers n where ${condition}))`,
        ),
        ...legNumbers('l', filter),
      ]);
    },
  };
}

export type CallSql = ReturnType<typeof createCallSql>;

const list = (values: readonly (string | number)[]): Condition =>
  sql.join(values.map((value) => sql`${value}`));

const CALL_COLUMNS: Partial<Record<Sort, string>> = { id: 'c.last_id', start: 'c.started' };

/** A total order: ties go by id, in the same direction. */
export function callOrder({ sort, ascending }: CallOrder): Condition {
  const direction = sql.raw(ascending ? 'asc' : 'desc');
  const by = sql.ref(CALL_COLUMNS[sort] ?? `c.${sort}`);
  return sort === 'id' ? sql`${by} ${direction}` : sql`${by} ${direction}, c.last_id ${direction}`;
}

export function legOrder(legStarted: Condition, { sort, ascending }: CallOrder): Condition {
  const direction = sql.raw(ascending ? 'asc' : 'desc');
  if (sort === 'id') return sql`l.id ${direction}`;
  const by =
    sort === 'start'
      ? legStarted
      : sql`coalesce(${sql.ref(`l.${sort}`)}, ${sort === 'duration' || sort === 'billsec' ? sql.lit(0) : sql.lit('')})`;
  return sql`${by} ${direction}, l.id ${direction}`;
}
