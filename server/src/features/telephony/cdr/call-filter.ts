import { type RawBuilder, sql } from 'kysely';
import type { SqlKind } from '../../../store/sql/migrate.ts';
import { wallMs } from '../../../store/sql/wall-ms.ts';
import { legShows, type NumberFilter, numberEntries } from './call-numbers.ts';

export const SORTS = [
  'id',
  'start',
  'linkedid',
  'src_num',
  'dst_num',
  'did',
  'disposition',
  'duration',
  'billsec',
] as const;
export type Sort = (typeof SORTS)[number];

/** Values of `appname` in legs without a person (contract 29.1). */
export const APPLICATIONS = ['ivr', 'queue', 'announce', 'offwork'] as const;
type Application = (typeof APPLICATIONS)[number];

export interface CallFilter {
  /** Wall-clock times, see lib/zoned-time. Both ends are included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly srcNum?: string | undefined;
  readonly dstNum?: string | undefined;
  readonly did?: string | undefined;
  readonly search?: { readonly text: string; readonly numbers: readonly string[] } | undefined;
  /** Upper case without spaces. */
  readonly outcome?: string | undefined;
  readonly linkedid?: string | undefined;
  /** Provider over which a call came in or went out. */
  readonly provider?: string | undefined;
  /** Application of the exchange that a call reached. */
  readonly app?: Application | undefined;
  /** Number of a queue that a call reached. */
  readonly queue?: string | undefined;
  /** Minimum seconds talked. */
  readonly billsecFrom?: number | undefined;
  readonly idFrom?: number | undefined;
  /** The highest settled id: nothing can be committed before it any more (contract 17.11). */
  readonly idTo?: number | undefined;
}

export interface CallOrder {
  readonly sort: Sort;
  readonly ascending: boolean;
}

type Condition = RawBuilder<unknown>;
const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);

/** A filter whose numbers have been looked up. */
export interface FoundFilter extends CallFilter {
  readonly numbers: readonly NumberFilter[];
}

/** Whether the filter has nothing but numbers, time and ids. */
const isOfAnyKind = ({ outcome, linkedid, provider, app, queue, billsecFrom }: CallFilter): boolean =>
  [outcome, linkedid, provider, app, queue, billsecFrom].every((asked) => asked === undefined);

/** Contract 29.2: conditions on one leg each, all covered by an index. */
const applications = (alias: string, { app, queue }: CallFilter): Condition[] => {
  const leg = (name: string) =>
    sql`${sql.ref(`${alias}.is_app`)} = '1' and ${sql.ref(`${alias}.appname`)} = ${name}`;
  return [
    ...(app === undefined ? [] : [leg(app)]),
    ...(queue === undefined ? [] : [sql`${leg('queue')} and ${sql.ref(`${alias}.dst_num`)} = ${queue}`]),
  ];
};

/** SQL of the filters of contract 5.2, for calls (`c`) and for legs (`l`): the part after `from`. */
export function createCallSql(kind: SqlKind) {
  const legStarted = (alias: string): Condition => sql.raw(wallMs(kind, `${alias}.start`));

  function window(column: Condition, { from, to }: CallFilter): Condition[] {
    return [
      ...(from === undefined ? [] : [sql`${column} >= ${from}`]),
      ...(to === undefined ? [] : [sql`${column} <= ${to}`]),
    ];
  }

  /** Ids after `idFrom`. Nearly all are settled: the plus keeps a planner from expecting a short range. */
  const ids = (column: Condition, { idFrom, idTo }: CallFilter): Condition[] => [
    ...(idFrom === undefined ? [] : [sql`${column} > ${idFrom}`]),
    ...(idTo === undefined ? [] : [sql`${column} + 0 <= ${idTo}`]),
  ];

  const oneLegShows = (alias: string, numbers: readonly NumberFilter[]): Condition[] =>
    numbers.map((number) => legShows(kind, alias, number));

  const wentOver = (provider: string): Condition => sql`(select 1 from call_providers p
    where p.started = c.started and p.linkedid = c.linkedid and p.provider = ${provider} limit 1) = 1`;

  const met = (leg: Condition): Condition => sql`(select 1 from cdr_general a
    where a.linkedid = c.linkedid and ${leg} limit 1) = 1`;

  function calls(filter: FoundFilter): Condition[] {
    const { outcome, linkedid, provider, billsecFrom } = filter;
    return [
      ...window(sql`c.started`, filter),
      ...(outcome === undefined ? [] : [sql`c.outcome = ${outcome}`]),
      ...(linkedid === undefined ? [] : [sql`c.linkedid = ${linkedid}`]),
      ...(provider === undefined ? [] : [wentOver(provider)]),
      ...applications('a', filter).map(met),
      ...(billsecFrom === undefined ? [] : [sql`c.billsec >= ${billsecFrom}`]),
      ...ids(sql`c.last_id`, filter),
    ];
  }

  /** One leg must match all numbers, not one leg each. Not `exists`: it must stay a lookup. */
  const hasSuchLeg = ({ numbers }: FoundFilter): Condition => sql`(select 1 from cdr_general m
    where m.linkedid = c.linkedid and ${all(oneLegShows('m', numbers))} limit 1) = 1`;

  /** Joins calls or legs row by row to what precedes; the planner must not turn that around. */
  const each = (table: string, alias: string, on: Condition): Condition =>
    kind === 'sqlite'
      ? sql`cross join ${sql.raw(`${table} ${alias}`)} on ${on}`
      : sql`cross join lateral (select * from ${sql.raw(`${table} ${alias}`)} where ${on} offset 0) ${sql.raw(alias)}`;

  /** The calls of the filter that matches the fewest numbers; `undefined` if none can be listed. */
  function callsOfNumbers({ numbers }: FoundFilter, when: CallFilter): Condition | undefined {
    const listed = numbers.filter((number) => number.numbers !== undefined);
    const [narrowest] = listed.sort((a, b) => (a.numbers?.length ?? 0) - (b.numbers?.length ?? 0));
    if (!narrowest) return undefined;
    const found = all([numberEntries(kind, narrowest), ...window(sql`n.started`, when)]);
    return sql`(select distinct n.last_id from call_numbers n where ${found}) f
      ${each('calls', 'c', sql`c.last_id = f.last_id`)}`;
  }

  return {
    window,
    legStarted,

    /** Conditions on the call itself, apart from its numbers. */
    ofCall: (filter: FoundFilter): Condition => all(calls(filter)),

    /** Whether the filter is only a window of time and `idFrom`. */
    isPlain: (filter: FoundFilter): boolean => filter.numbers.length === 0 && isOfAnyKind(filter),

    isBroad: ({ numbers }: FoundFilter): boolean =>
      numbers.length > 0 && numbers.every((number) => number.numbers === undefined),

    /** The only filter by number, if there is nothing else but a window of time. */
    onlyNumber(filter: FoundFilter): Condition | undefined {
      const [first, ...more] = filter.numbers;
      if (!first?.numbers || more.length > 0 || !isOfAnyKind(filter)) return undefined;
      const found = [...window(sql`n.started`, filter), ...ids(sql`n.last_id`, filter)];
      return all([numberEntries(kind, first), ...found]);
    },

    /** `oneByOne`: for broad filters, checking each call is faster than looking up each number. */
    calls(filter: FoundFilter, oneByOne: boolean): Condition {
      const { numbers } = filter;
      const own = calls(filter);
      if (numbers.length === 0) return sql`calls c where ${all(own)}`;
      const narrow = callsOfNumbers(filter, filter);
      if (narrow) {
        const leg = numbers.length < 2 ? [] : [hasSuchLeg(filter)];
        return sql`${narrow} where ${all([...own, ...leg])}`;
      }
      if (oneByOne) return sql`calls c where ${all([...own, hasSuchLeg(filter)])}`;
      const entries = numbers.map((number) => {
        const found = all([numberEntries(kind, number), ...window(sql`n.started`, filter)]);
        return sql`c.last_id in (select n.last_id from call_numbers n where ${found})`;
      });
      return sql`calls c where ${all([...own, ...entries, ...(numbers.length < 2 ? [] : [hasSuchLeg(filter)])])}`;
    },

    legs(filter: FoundFilter): Condition {
      const { numbers, outcome, linkedid, provider, billsecFrom, to } = filter;
      // A call starts with its first leg, so no leg of a later call can lie in the window.
      const narrow = callsOfNumbers(filter, { to });
      const from = narrow
        ? sql`${narrow} ${each('cdr_general', 'l', sql`l.linkedid = c.linkedid`)}`
        : sql`cdr_general l`;
      // A call has few legs: the index by time does not help.
      const started = narrow ? sql`${legStarted('l')} + 0` : legStarted('l');
      const where = all([
        ...window(started, filter),
        ...(outcome === undefined
          ? []
          : [sql`upper(replace(coalesce(l.disposition, ''), ' ', '')) = ${outcome}`]),
        ...(linkedid === undefined ? [] : [sql`l.linkedid = ${linkedid}`]),
        ...(provider === undefined ? [] : [sql`${provider} in (l.from_account, l.to_account)`]),
        ...applications('l', filter),
        ...(billsecFrom === undefined ? [] : [sql`l.billsec >= ${billsecFrom}`]),
        ...ids(sql`l.id`, filter),
        ...oneLegShows('l', numbers),
      ]);
      return sql`${from} where ${where}`;
    },
  };
}

export type CallSql = ReturnType<typeof createCallSql>;

const CALL_COLUMNS: Partial<Record<Sort, string>> = { id: 'c.last_id', start: 'c.started' };

/** A total order: ties go by id, in the same direction. */
export function callOrder({ sort, ascending }: CallOrder): Condition {
  const direction = sql.raw(ascending ? 'asc' : 'desc');
  const by = sql.ref(CALL_COLUMNS[sort] ?? `c.${sort}`);
  return sort === 'id' ? sql`${by} ${direction}` : sql`${by} ${direction}, c.last_id ${direction}`;
}

export function legOrder(legStarted: Condition, { sort, ascending }: CallOrder): Condition {
  const direction = sql.raw(ascending ? 'asc' : 'desc');
  // The plus keeps PostgreSQL from walking all ids until enough of them lie in the window.
  if (sort === 'id') return sql`l.id + 0 ${direction}`;
  const by =
    sort === 'start'
      ? legStarted
      : sql`coalesce(${sql.ref(`l.${sort}`)}, ${sort === 'duration' || sort === 'billsec' ? sql.lit(0) : sql.lit('')})`;
  return sql`${by} ${direction}, l.id ${direction}`;
}
