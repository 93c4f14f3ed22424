import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../store/sql/schema.ts';
import type { SqlReader } from '../../store/sql/sql-reader.ts';
import { BLOCK_IDS, type Block, mayMatch, surelyMatches } from './call-blocks.ts';
import { type CallFilter, type CallOrder, type CallSql, callOrder, legOrder } from './call-filter.ts';
import type { LegRow } from './leg.ts';

export interface PageWanted extends CallOrder {
  readonly limit: number;
  readonly offset: number;
}

/** Calls by the id of their newest leg. */
interface CallPage {
  readonly total: number;
  readonly ids: readonly number[];
}

interface PageParts {
  readonly db: Kysely<Database>;
  readonly reader: Pick<SqlReader, 'rows'>;
  readonly callSql: CallSql;
}

/** Which calls or legs a page shows, and how many there are altogether. */
export function createCallPages({ db, reader, callSql }: PageParts) {
  const rows = <T>(query: RawBuilder<T>): Promise<T[]> => reader.rows<T>(query.compile(db));
  const count = async (from: RawBuilder<unknown>): Promise<number> =>
    (await rows(sql<{ n: number }>`select count(*) as n from ${from}`))[0]?.n ?? 0;

  const blocks = (): Promise<Block[]> =>
    rows(sql<Block>`select block, cast(sum(calls) as bigint) as calls, min(earliest) as earliest,
      max(latest) as latest, min(lowest_id) as lowest_id from call_blocks group by block order by block`);

  /** Whole blocks are counted without looking into them: neither the total nor a far offset walks over all calls. */
  async function plainPage(filter: CallFilter, { limit, offset, ascending }: PageWanted): Promise<CallPage> {
    const known = (await blocks()).filter((block) => mayMatch(block, filter));
    const counts = new Map(
      known.filter((block) => surelyMatches(block, filter)).map(({ block, calls }) => [block, calls]),
    );
    for (const [first, last] of runs(known.map(({ block }) => block).filter((block) => !counts.has(block)))) {
      const found = rows(sql<{ block: number; n: number }>`
        select c.last_id >> 13 as block, count(*) as n from calls c
        where ${within(filter)} and c.last_id >= ${first * BLOCK_IDS} and c.last_id < ${(last + 1) * BLOCK_IDS}
        group by c.last_id >> 13`);
      for (const { block, n } of await found) counts.set(block, n);
    }
    const total = [...counts.values()].reduce((sum, n) => sum + n, 0);
    const ordered = known.map(({ block }) => block);
    if (!ascending) ordered.reverse();
    let skip = offset;
    const begin = ordered.find((block) => {
      const calls = counts.get(block) ?? 0;
      if (skip < calls) return true;
      skip -= calls;
      return false;
    });
    if (begin === undefined) return { total, ids: [] };
    const end = ordered.at(-1) as number;
    const [low, high] = ascending ? [begin, end] : [end, begin];
    const found = await rows(sql<{ id: number }>`
      select c.last_id as id from calls c
      where ${within(filter)} and c.last_id >= ${low * BLOCK_IDS} and c.last_id < ${(high + 1) * BLOCK_IDS}
      order by c.last_id ${sql.raw(ascending ? 'asc' : 'desc')} limit ${limit} offset ${skip}`);
    return { total, ids: found.map(({ id }) => id) };
  }

  /** The plus keeps the planner from the index by time: the order wanted is that of the ids. */
  const within = ({ idFrom, ...filter }: CallFilter): RawBuilder<unknown> =>
    sql.join([sql`c.last_id > ${idFrom ?? -1}`, ...callSql.window(sql`+c.started`, filter)], sql` and `);

  /** One walk over the entries of a number gives the page and the total. */
  async function numberPage(matching: RawBuilder<unknown>, page: PageWanted): Promise<CallPage> {
    const calls = sql`(select distinct n.last_id, n.started from call_numbers n where ${matching}) c`;
    const found = await rows(sql<{ id: number; total: number }>`
      select c.last_id as id, count(*) over () as total from ${calls}
      order by ${callOrder(page)} limit ${page.limit} offset ${page.offset}`);
    const total = found[0]?.total ?? (page.offset === 0 ? 0 : await count(calls));
    return { total, ids: found.map(({ id }) => id) };
  }

  return {
    async calls(filter: CallFilter, page: PageWanted): Promise<CallPage> {
      if (callSql.isPlain(filter) && page.sort === 'id') return plainPage(filter, page);
      const number = callSql.onlyNumber(filter);
      if (number && (page.sort === 'id' || page.sort === 'start')) return numberPage(number, page);
      const matching = sql`calls c where ${callSql.calls(filter)}`;
      const total = await count(matching);
      const found = await rows(sql<{ id: number }>`
        select c.last_id as id from ${matching} order by ${callOrder(page)} limit ${page.limit} offset ${page.offset}`);
      return { total, ids: found.map(({ id }) => id) };
    },

    async legs(filter: CallFilter, page: PageWanted): Promise<{ total: number; rows: LegRow[] }> {
      const matching = sql`cdr_general l where ${callSql.legs(filter)}`;
      const total = await count(matching);
      const found = await rows(sql<LegRow>`
        select l.* from ${matching} order by ${legOrder(callSql.legStarted('l'), page)}
        limit ${page.limit} offset ${page.offset}`);
      return { total, rows: found };
    },

    /** Between these lie all legs of the calls in a window. */
    async legIds(filter: CallFilter): Promise<{ first: number; last: number } | undefined> {
      const known = (await blocks()).filter((block) => mayMatch(block, filter));
      if (known.length === 0) return undefined;
      return {
        first: Math.min(...known.map((block) => block.lowest_id)),
        last: (known.at(-1) as Block).block * BLOCK_IDS + BLOCK_IDS - 1,
      };
    },
  };
}

/** Neighbours together; when they lie all over the place, everything between the outermost. */
function runs(blocks: readonly number[]): [first: number, last: number][] {
  const found: [number, number][] = [];
  for (const block of blocks) {
    const current = found.at(-1);
    if (current && current[1] === block - 1) current[1] = block;
    else found.push([block, block]);
  }
  return found.length <= 8 ? found : [[found[0]![0], found.at(-1)![1]]];
}
