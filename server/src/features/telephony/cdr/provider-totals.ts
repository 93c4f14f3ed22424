import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../store/sql/schema.ts';
import type { SqlReader } from '../../../store/sql/sql-reader.ts';

interface ProviderTotals {
  readonly provider: string;
  readonly direction: 'incoming' | 'outgoing';
  readonly totalCalls: number;
  readonly answeredCalls: number;
  readonly missedCalls: number;
  readonly totalDuration: number;
  readonly totalBillsec: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 86_400_000;
/** This many days are a few hundred rows. */
const DAYS_AT_ONCE = 31;

/** One call per linkedid, provider and direction (contract 5.7): whole days from their sums, the rest call by call. */
export function createProviderTotals({ db, reader }: { db: Kysely<Database>; reader: SqlReader }) {
  // The usual query, compiled once: compiling takes as long as answering.
  const ofDays = totals([inDays({ from: 0, to: 0 })]).compile(db);

  return (window: Span, provider?: string): Promise<ProviderTotals[]> => {
    const { days, edges } = wholeDays(window);
    const isShort = edges.length === 0 && days.to - days.from < DAYS_AT_ONCE;
    if (isShort && provider === undefined)
      return reader.lookUp({ ...ofDays, parameters: [days.from, days.to] });
    const only = provider === undefined ? sql`` : sql`and provider = ${provider}`;
    const query = totals([inDays(days, only), ...edges.map((edge) => inCalls(edge, only))]).compile(db);
    return isShort ? reader.lookUp(query) : reader.rows(query);
  };
}

const inDays = ({ from, to }: Span, only: RawBuilder<unknown> = sql``) => sql`
  select provider, direction, calls, answered, missed, duration, billsec from provider_days
  where day >= ${from} and day <= ${to} ${only}`;

const inCalls = ({ from, to }: Span, only: RawBuilder<unknown>) => sql`
  select provider, direction, 1, answered, missed, duration, billsec from call_providers
  where started >= ${from} and started <= ${to} ${only}`;

function totals(parts: readonly RawBuilder<unknown>[]): RawBuilder<ProviderTotals> {
  const total = (column: string, name: string) =>
    sql`cast(sum(${sql.ref(column)}) as bigint) as ${sql.ref(name)}`;
  return sql<ProviderTotals>`
    select provider, direction, ${total('calls', 'totalCalls')}, ${total('answered', 'answeredCalls')},
      ${total('missed', 'missedCalls')}, ${total('duration', 'totalDuration')}, ${total('billsec', 'totalBillsec')}
    from (${sql.join(parts, sql` union all `)}) p
    group by provider, direction having sum(calls) > 0 order by provider, direction`;
}

/** Splits a window into whole days and the rest before and after. */
function wholeDays({ from, to }: Span): { days: Span; edges: Span[] } {
  const days = { from: Math.ceil(from / DAY_MS), to: Math.floor((to + 1) / DAY_MS) - 1 };
  if (days.from > days.to) return { days, edges: [{ from, to }] };
  const before = { from, to: days.from * DAY_MS - 1 };
  const after = { from: (days.to + 1) * DAY_MS, to };
  return { days, edges: [before, after].filter((edge) => edge.from <= edge.to) };
}
