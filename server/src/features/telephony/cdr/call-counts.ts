import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../store/sql/schema.ts';
import type { SqlReader } from '../../../store/sql/sql-reader.ts';

/** By their names in the answer; spelled as in `calls.outcome`. */
export const OUTCOMES = {
  answered: 'ANSWERED',
  noAnswer: 'NOANSWER',
  busy: 'BUSY',
  failed: 'FAILED',
  chanunavail: 'CHANUNAVAIL',
} as const;
type OutcomeName = keyof typeof OUTCOMES;

export const STEPS = { hour: 3_600_000, day: 86_400_000 } as const;
export type Step = keyof typeof STEPS;

/** `at` is the wall-clock time at which the hour or day begins. */
type CallCount = { readonly at: number } & Readonly<Record<OutcomeName, number>>;

interface Window {
  readonly from: number;
  readonly to: number;
}

interface Row {
  readonly outcome: string;
  readonly place: number;
  readonly n: number;
}

/**
 * Numbers of calls by outcome, per hour or day (contract 5.7). Each count is a range of the index by outcome and time:
 * grouping all calls of the window would sort them, which takes ten times as long.
 */
export function createCallCounts({ db }: { db: Kysely<Database> }) {
  const endings = sql.join(Object.values(OUTCOMES).map((outcome) => sql`(${sql.lit(outcome)})`));

  return async ({ from, to }: Window, step: Step, finder: Pick<SqlReader, 'rows'>): Promise<CallCount[]> => {
    const length = sql.lit(STEPS[step]);
    const bound = (at: number) => sql`cast(${at} as bigint)`;
    const [first, last] = [from, to].map((at) => Math.floor(at / STEPS[step])) as [number, number];
    // The first and the last hour or day may begin before the window, or end after it.
    const query = sql<Row>`
      with recursive places (place) as (
        select ${bound(first)} union all select place + 1 from places where place < ${bound(last)}
      ), endings (outcome) as (values ${endings}), spans as (
        select place, case when place = ${bound(first)} then ${bound(from)} else place * ${length} end as begins,
          case when place = ${bound(last)} then ${bound(to)} else (place + 1) * ${length} - 1 end as ends
        from places
      )
      select e.outcome, s.place, (select count(*) from calls c
        where c.outcome = e.outcome and c.started >= s.begins and c.started <= s.ends) as n
      from spans s cross join endings e`;
    const found = await finder.rows<Row>(query.compile(db));
    const counted = new Map(found.map(({ outcome, place: at, n }) => [`${outcome} ${at}`, n]));
    return Array.from({ length: last - first + 1 }, (_, index) => {
      const ended = (name: OutcomeName) => counted.get(`${OUTCOMES[name]} ${first + index}`) ?? 0;
      return {
        at: (first + index) * STEPS[step],
        answered: ended('answered'),
        noAnswer: ended('noAnswer'),
        busy: ended('busy'),
        failed: ended('failed'),
        chanunavail: ended('chanunavail'),
      };
    });
  };
}
