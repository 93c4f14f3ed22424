import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { SqlKind } from '../../../store/sql/migrate.ts';
import type { Database } from '../../../store/sql/schema.ts';

/** No telephone number is longer. Longer texts are made up, and their endings would fill the table. */
const LONGEST_TAKEN_APART = 40;
/** On SQLite a few milliseconds of the service's own thread. */
const AT_ONCE = 16;
const PAUSE_MS = 200;
const NOTHING_TO_DO_MS = 5000;

interface EndingsParts {
  readonly db: Kysely<Database>;
  readonly kind: SqlKind;
}

/**
 * Moves some numbers from the table that searches scan to the one they look up; resolves to the number of rows created.
 * A dozen rows scattered over a large table cost more than the rest of a call record, so they are not created while one
 * is written.
 */
export async function takeApart({ db, kind }: EndingsParts): Promise<number> {
  if (kind === 'postgres') {
    // Skips rows that another node is working on.
    const made = await sql`
      with taken as (delete from whole_numbers where ctid = any(array(
        select ctid from whole_numbers where length(number) <= ${LONGEST_TAKEN_APART} limit ${AT_ONCE}
        for update skip locked)) returning number)
      insert into number_endings (ending, number)
        select distinct substr(number, i), number from taken cross join lateral generate_series(1, length(number)) as i`.execute(
      db,
    );
    return Number(made.numAffectedRows);
  }
  const picked = sql`select number from whole_numbers where length(number) <= ${LONGEST_TAKEN_APART}
    order by number limit ${AT_ONCE}`;
  return db.transaction().execute(async (trx) => {
    const made = await sql`
      insert or ignore into number_endings (ending, number)
        with recursive endings(number, i) as (select number, 1 from (${picked})
          union all select number, i + 1 from endings where i < length(number))
        select substr(number, i), number from endings order by 1, 2`.execute(trx);
    await sql`delete from whole_numbers where number in (${picked})`.execute(trx);
    return Number(made.numAffectedRows);
  });
}

/** Takes new numbers apart, a few at a time, while the service runs. */
export function createNumberEndings(parts: EndingsParts & { readonly onError: (error: unknown) => void }) {
  const stop = new AbortController();
  let isFailing = false;

  async function work(): Promise<void> {
    while (!stop.signal.aborted) {
      const made = await takeApart(parts).then(
        (count) => {
          isFailing = false;
          return count;
        },
        (error) => {
          if (!isFailing) parts.onError(error);
          isFailing = true;
          return 0;
        },
      );
      const waitMs = made > 0 ? PAUSE_MS : NOTHING_TO_DO_MS;
      await pause(waitMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    }
  }

  const working = work();
  return {
    async close(): Promise<void> {
      stop.abort();
      await working;
    },
  };
}
