import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { createBatchedLookup } from '../../lib/batched-lookup.ts';
import type { Database } from './schema.ts';

/** Resolves to another number as soon as filters or rules were committed since it last resolved, whoever wrote them. */
export type FilterRevision = () => Promise<number>;

/** Asked at every poll: all who ask while one is under way share the next (ADR 27). */
export function createFilterRevision({ db }: { db: Kysely<Database> }): FilterRevision {
  const query: CompiledQuery<{ version: number }> = db
    .selectFrom('filter_changes')
    .select(sql<number>`cast(sum(version) as bigint)`.as('version'))
    .compile();

  const ask = createBatchedLookup<'now', number>(async () => {
    const { rows } = await db.executeQuery(query);
    return new Map([['now', rows[0]!.version]]);
  }, Number.POSITIVE_INFINITY);

  return async () => (await ask('now')) as number;
}
