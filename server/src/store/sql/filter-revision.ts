import { type CompiledQuery, sql } from 'kysely';
import { createBatchedLookup } from '../../lib/batched-lookup.ts';
import type { Sql } from './open.ts';

/** Resolves to another number as soon as filters or rules were committed since it last resolved, whoever wrote them. */
export type FilterRevision = () => Promise<number>;

/** Asked at every poll: all who ask while one is under way share the next (ADR 27). */
export function createFilterRevision({ db, lookUp }: Pick<Sql, 'db' | 'lookUp'>): FilterRevision {
  const query: CompiledQuery<{ version: number }> = db
    .selectFrom('filter_changes')
    .select(sql<number>`cast(sum(version) as bigint)`.as('version'))
    .compile();

  const ask = createBatchedLookup<'now', number>(async () => {
    const [row] = await lookUp(query);
    return new Map([['now', row!.version]]);
  }, Number.POSITIVE_INFINITY);

  return async () => (await ask('now')) as number;
}
