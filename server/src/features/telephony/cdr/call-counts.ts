import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../store/sql/schema.ts';
import type { SqlReader } from '../../../store/sql/sql-reader.ts';

/** By the names that the answer gives them; each is spelled as `calls.outcome` has it. */
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

/** `at` is the wall clock at which the hour or day begins. */
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

/** How many calls ended how, hour by hour or day by day (contract 5.7). The index by outcome and time has it all. */
export function createCallCounts({ db }: { db: Kysely<Database> }) {
  return async ({ from, to }: Window, step: Step, finder: Pick<SqlReader, 'rows'>): Promise<CallCount[]> => {
    const place = sql`started / ${sql.lit(STEPS[step])}`;
    const query = sql<Row>`select outcome, ${place} as place, count(*) as n from calls
      where outcome in (${sql.join(Object.values(OUTCOMES))}) and started >= ${from} and started <= ${to}
      group by outcome, ${place}`;
    const found = await finder.rows<Row>(query.compile(db));
    const counted = new Map(found.map(({ outcome, place: at, n }) => [`${outcome} ${at}`, n]));
    const [first, last] = [from, to].map((at) => Math.floor(at / STEPS[step])) as [number, number];
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
