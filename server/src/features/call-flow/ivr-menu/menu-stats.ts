import type { Kysely } from 'kysely';
import type { Database } from '../../../store/sql/schema.ts';

export interface MenuOutcome {
  readonly entries: string;
  readonly status: string;
  readonly calls: number;
}

interface Span {
  /** As call records write times. */
  readonly from: string;
  readonly to: string;
}

/** How stays in a menu ended, from the legs of its number. */
export async function readOutcomes(
  db: Kysely<Database>,
  number: string,
  { from, to }: Span,
): Promise<MenuOutcome[]> {
  const rows = await db
    .selectFrom('cdr_general')
    .select((eb) => ['dtmf_digits', 'dialstatus', eb.fn.countAll<number>().as('calls')])
    .where('appname', '=', 'ivr')
    .where('dst_num', '=', number)
    .where('start', '>=', from)
    .where('start', '<=', to)
    .groupBy(['dtmf_digits', 'dialstatus'])
    .execute();
  return rows.map(({ dtmf_digits, dialstatus, calls }) => ({
    entries: dtmf_digits ?? '',
    status: dialstatus ?? '',
    calls: Number(calls),
  }));
}

/** By what was chosen last: an entry of the menu, an employee, nothing, something wrong, or the end of the call. */
export function countOutcomes(outcomes: readonly MenuOutcome[], actions: readonly string[]) {
  const choices = new Map(actions.map((digits) => [digits, 0]));
  const totals = { calls: 0, direct: 0, timeout: 0, invalid: 0, hungUp: 0 };
  for (const { entries, status, calls } of outcomes) {
    totals.calls += calls;
    const last = entries.slice(entries.lastIndexOf(',') + 1);
    if (status === 'TIMEOUT') totals.timeout += calls;
    else if (status === 'INVALID') totals.invalid += calls;
    else if (status !== 'CONTINUE') totals.hungUp += calls;
    else if (choices.has(last)) choices.set(last, (choices.get(last) ?? 0) + calls);
    else totals.direct += calls;
  }
  return { ...totals, choices: [...choices].map(([digits, calls]) => ({ digits, calls })) };
}
