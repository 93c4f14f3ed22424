import { type CompiledQuery, sql } from 'kysely';
import { createBatchedLookup } from '../../lib/batched-lookup.ts';
import type { Sql } from './open.ts';

/** Resolves to a different number once filters or rules were committed since the last call, whoever wrote them. */
export type FilterRevision = () => Promise<number>;

/** Queried at every poll; calls during a query share the next one (ADR 27). */
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
