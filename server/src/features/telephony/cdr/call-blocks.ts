import { type RawBuilder, sql } from 'kysely';

/** Calls whose newest leg has one of 8192 neighbouring ids: their number and their range of times. */
export interface Block {
  readonly block: number;
  readonly calls: number;
  readonly earliest: number;
  readonly latest: number;
  /** Id of the oldest leg of these calls. */
  readonly lowest_id: number;
}

export const BLOCK_IDS = 8192;

interface Window {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly idFrom?: number | undefined;
  readonly idTo?: number | undefined;
}

/** SQL for the blocks with calls that may lie in the window. A block has several rows if there are several writers. */
export function blocksOf({ from, to, idFrom, idTo }: Window): RawBuilder<Block> {
  const bounds = [
    ...(from === undefined ? [] : [sql`max(latest) >= ${from}`]),
    ...(to === undefined ? [] : [sql`min(earliest) <= ${to}`]),
    ...(idFrom === undefined ? [] : [sql`(block + 1) * ${sql.lit(BLOCK_IDS)} - 1 > ${idFrom}`]),
    ...(idTo === undefined ? [] : [sql`block * ${sql.lit(BLOCK_IDS)} <= ${idTo}`]),
  ];
  return sql<Block>`select block, cast(sum(calls) as bigint) as calls, min(earliest) as earliest,
      max(latest) as latest, min(lowest_id) as lowest_id
    from call_blocks group by block ${bounds.length === 0 ? sql`` : sql`having ${sql.join(bounds, sql` and `)}`} order by block`;
}

/** Whether all calls of the block certainly lie in the window. */
export const surelyMatches = (
  { block, earliest, latest }: Block,
  { from, to, idFrom, idTo }: Window,
): boolean =>
  (from === undefined || earliest >= from) &&
  (to === undefined || latest <= to) &&
  (idFrom === undefined || block * BLOCK_IDS > idFrom) &&
  (idTo === undefined || (block + 1) * BLOCK_IDS - 1 <= idTo);
