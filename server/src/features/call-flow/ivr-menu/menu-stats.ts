import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../store/sql/schema.ts';
import type { TelephonyArea } from '../../telephony/telephony.ts';

export interface MenuOutcome {
  readonly entries: string;
  readonly status: string;
  readonly calls: number;
}

/** Wall-clock times, both included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** How stays in a menu ended, from the legs of its number. */
export async function readOutcomes(
  db: Kysely<Database>,
  { rows, startOf }: TelephonyArea['legs'],
  number: string,
  { from, to }: Span,
): Promise<MenuOutcome[]> {
  const query = db
    .selectFrom('cdr_general')
    .select((eb) => ['dtmf_digits', 'dialstatus', eb.fn.countAll<number>().as('calls')])
    .where(sql<boolean>`is_app = '1'`)
    .where('appname', '=', 'ivr')
    .where(startOf('start'), '>=', from)
    .where(startOf('start'), '<=', to)
    .where('dst_num', '=', number)
    .groupBy(['dtmf_digits', 'dialstatus'])
    .compile();
  const found = await rows<{ dtmf_digits: string | null; dialstatus: string | null; calls: number }>(query);
  return found.map(({ dtmf_digits, dialstatus, calls }) => ({
    entries: dtmf_digits ?? '',
    status: dialstatus ?? '',
    calls: Number(calls),
  }));
}

/**
 * Counts by the last choice: an entry of the menu, an employee, nothing, a wrong entry, or the end of the call. The
 * menu may have changed since: entries that it no longer has follow those it has.
 */
export function countOutcomes(
  outcomes: readonly MenuOutcome[],
  actions: readonly string[],
  isDirect: (digits: string) => boolean,
) {
  const choices = new Map(actions.map((digits) => [digits, 0]));
  const former = new Map<string, number>();
  const totals = { calls: 0, direct: 0, timeout: 0, invalid: 0, hungUp: 0 };
  for (const { entries, status, calls } of outcomes) {
    totals.calls += calls;
    const last = entries.slice(entries.lastIndexOf(',') + 1);
    if (status === 'TIMEOUT') totals.timeout += calls;
    else if (status === 'INVALID') totals.invalid += calls;
    else if (status !== 'CONTINUE') totals.hungUp += calls;
    else if (choices.has(last)) choices.set(last, (choices.get(last) ?? 0) + calls);
    else if (isDirect(last)) totals.direct += calls;
    else former.set(last, (former.get(last) ?? 0) + calls);
  }
  const all = [...choices, ...[...former].sort(([a], [b]) => (a < b ? -1 : 1))];
  return { ...totals, choices: all.map(([digits, calls]) => ({ digits, calls })) };
}
