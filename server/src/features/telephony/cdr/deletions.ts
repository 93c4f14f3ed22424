import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SqlKind } from '../../../store/sql/migrate.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { isOneOf } from './call-numbers.ts';

/** How long deletions can be followed (contract 17.11). */
const KEPT_MS = 90 * 86_400_000;
const SWEEP_MS = 3_600_000;
/** Key in the table `settings`: the last forgotten position. */
const FORGOTTEN = 'cdr_deletions_forgotten';

interface Deletions {
  readonly legs: number[];
  readonly calls: string[];
  /** Cursor for the next request. */
  readonly cursor: number;
  readonly hasMore: boolean;
  /** Some deletions after the requested cursor are no longer known. */
  readonly isIncomplete: boolean;
}

interface DeletionParts {
  readonly db: Kysely<Database>;
  readonly kind: SqlKind;
  /** The highest settled position: nothing can be committed before it any more; `undefined`: all are settled. */
  readonly settled: () => Promise<number | undefined>;
}

/** Deleted legs as noted by triggers, whoever deleted them. */
export function createDeletions({ db, kind, settled }: DeletionParts) {
  async function forgotten(): Promise<number> {
    const row = await db
      .selectFrom('settings')
      .select('value')
      .where('key', '=', FORGOTTEN)
      .executeTakeFirst();
    return Number(row?.value ?? 0);
  }

  /** Those of a list that exist in a table. */
  async function standing<T extends string | number>(
    from: RawBuilder<unknown>,
    column: string,
    list: readonly T[],
  ): Promise<ReadonlySet<T>> {
    if (list.length === 0) return new Set();
    const wanted = isOneOf(kind, sql.ref(column), list as readonly string[]);
    const { rows } = await sql<{ value: T }>`${from} where ${wanted}`.execute(db);
    return new Set(rows.map(({ value }) => value));
  }

  return {
    async since(cursor: number, limit: number): Promise<Deletions> {
      const last = await settled();
      let query = db
        .selectFrom('cdr_deletions')
        .select(['position', 'leg_id', 'linkedid'])
        .where('position', '>', cursor)
        .orderBy('position')
        .limit(limit + 1);
      if (last !== undefined) query = query.where('position', '<=', last);
      const found = await query.execute();
      const shown = found.slice(0, limit);
      const legs = [...new Set(shown.flatMap(({ leg_id }) => leg_id ?? []))];
      const calls = [...new Set(shown.flatMap(({ linkedid }) => linkedid || []))];
      // A linkedid can come back, and a call that lost a leg may still exist.
      const [legsHere, callsHere] = await Promise.all([
        standing<number>(sql`select id as value from cdr_general`, 'id', legs),
        standing<string>(sql`select linkedid as value from calls`, 'linkedid', calls),
      ]);
      return {
        legs: legs.filter((id) => !legsHere.has(id)),
        calls: calls.filter((linkedid) => !callsHere.has(linkedid)),
        cursor: shown.at(-1)?.position ?? cursor,
        hasMore: found.length > limit,
        isIncomplete: cursor > 0 && cursor < (await forgotten()),
      };
    },

    /** By the clock of the database, which also wrote the times. */
    async forgetOld(): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const now = sql.raw(
          kind === 'sqlite'
            ? `cast(strftime('%s', 'now') as integer) * 1000`
            : '(extract(epoch from clock_timestamp()) * 1000)::bigint',
        );
        const { rows } = await sql<{ position: number }>`
          delete from cdr_deletions where position < coalesce((select position from cdr_deletions
            where deleted_at >= ${now} - ${sql.lit(KEPT_MS)} order by position limit 1),
            (select max(position) + 1 from cdr_deletions)) returning position`.execute(trx);
        if (rows.length === 0) return;
        const value = String(rows.reduce((highest, { position }) => Math.max(highest, position), 0));
        await trx
          .insertInto('settings')
          .values({ key: FORGOTTEN, value })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
          .execute();
      });
    },
  };
}

/** Forgets old deletions now and then while the service runs. */
export function createDeletionSweep(
  { forgetOld }: Pick<ReturnType<typeof createDeletions>, 'forgetOld'>,
  onError: (error: unknown) => void,
) {
  let sweeping: Promise<void> | undefined;
  const timer = setInterval(() => {
    sweeping ??= forgetOld()
      .catch(onError)
      .finally(() => {
        sweeping = undefined;
      });
  }, SWEEP_MS);
  timer.unref();
  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await sweeping;
    },
  };
}
