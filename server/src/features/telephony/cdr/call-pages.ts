import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../store/sql/schema.ts';
import type { SqlReader } from '../../../store/sql/sql-reader.ts';
import { BLOCK_IDS, type Block, blocksOf, surelyMatches } from './call-blocks.ts';
import {
  type CallFilter,
  type CallOrder,
  type CallSql,
  callOrder,
  type FoundFilter,
  legOrder,
} from './call-filter.ts';
import { findNumbers } from './call-numbers.ts';
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
  readonly few?: typeof FEW | undefined;
}

/** Beyond `numbers`, looking up each number costs more than checking each call, if these are fewer than `calls`. */
const FEW = { numbers: 20_000, calls: 300_000 };

/** The calls or legs of a page, and how many there are altogether. */
export function createCallPages({ db, reader, callSql, few = FEW }: PageParts) {
  const rows = <T>(query: RawBuilder<T>): Promise<T[]> => reader.rows<T>(query.compile(db));
  const count = async (from: RawBuilder<unknown>): Promise<number> =>
    (await rows(sql<{ n: number }>`select count(*) as n from ${from}`))[0]?.n ?? 0;

  /** Counts whole blocks without looking into them, so that a total does not walk over millions of calls. */
  async function countBlocks(filter: CallFilter): Promise<Map<number, number>> {
    const known = await rows(blocksOf(filter));
    const counts = new Map(
      known.map((block) => [block.block, surelyMatches(block, filter) ? block.calls : 0]),
    );
    const partly = known.filter((block) => !surelyMatches(block, filter)).map(({ block }) => block);
    const found = runs(partly).map(([first, last]) =>
      rows(sql<{ block: number; n: number }>`
        select c.last_id >> 13 as block, count(*) as n from calls c where ${within(filter, first, last)}
        group by c.last_id >> 13`),
    );
    for (const { block, n } of (await Promise.all(found)).flat()) counts.set(block, n);
    return counts;
  }

  /** A far offset does not walk over them, either. */
  async function plainPage(filter: CallFilter, { limit, offset, ascending }: PageWanted): Promise<CallPage> {
    const counts = await countBlocks(filter);
    const total = sum(counts);
    const ordered = [...counts.keys()];
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
      select c.last_id as id from calls c where ${within(filter, low, high)}
      order by c.last_id ${sql.raw(ascending ? 'asc' : 'desc')} limit ${limit} offset ${skip}`);
    return { total, ids: found.map(({ id }) => id) };
  }

  /**
   * Calls of neighbouring blocks. One bound at each end: given two, SQLite starts at the first. The plus keeps the
   * planner off the index by time: the order wanted is by id.
   */
  function within(filter: CallFilter, firstBlock: number, lastBlock: number): RawBuilder<unknown> {
    const from = Math.max(firstBlock * BLOCK_IDS, (filter.idFrom ?? -1) + 1);
    const to = Math.min((lastBlock + 1) * BLOCK_IDS - 1, filter.idTo ?? Infinity);
    const ids = sql`c.last_id >= ${from} and c.last_id <= ${to}`;
    return sql.join([ids, ...callSql.window(sql`+c.started`, filter)], sql` and `);
  }

  /** One walk over the entries of a number gives the page and the total. */
  async function numberPage(matching: RawBuilder<unknown>, page: PageWanted): Promise<CallPage> {
    const calls = sql`(select distinct n.last_id, n.started from call_numbers n where ${matching}) c`;
    const found = await rows(sql<{ id: number; total: number }>`
      select c.last_id as id, count(*) over () as total from ${calls}
      order by ${callOrder(page)} limit ${page.limit} offset ${page.offset}`);
    const total = found[0]?.total ?? (page.offset === 0 ? 0 : await count(calls));
    return { total, ids: found.map(({ id }) => id) };
  }

  /** The SQL after `from` for the calls of a filter. Broad filters are checked against each call of a short time. */
  async function matchingCalls(filter: FoundFilter): Promise<RawBuilder<unknown>> {
    return callSql.calls(filter, callSql.isBroad(filter) && sum(await countBlocks(filter)) < few.calls);
  }

  const withNumbers = async (filter: CallFilter): Promise<FoundFilter> => ({
    ...filter,
    numbers: await findNumbers(filter, { rows, atMost: few.numbers }),
  });

  return {
    withNumbers,
    matchingCalls,

    async calls(wanted: CallFilter, page: PageWanted): Promise<CallPage> {
      const filter = await withNumbers(wanted);
      const isPlain = callSql.isPlain(filter);
      if (isPlain && page.sort === 'id') return plainPage(filter, page);
      const number = callSql.onlyNumber(filter);
      if (number && (page.sort === 'id' || page.sort === 'start')) return numberPage(number, page);
      const matching = await matchingCalls(filter);
      const total = isPlain ? sum(await countBlocks(filter)) : await count(matching);
      const found = await rows(sql<{ id: number }>`
        select c.last_id as id from ${matching} order by ${callOrder(page)} limit ${page.limit} offset ${page.offset}`);
      return { total, ids: found.map(({ id }) => id) };
    },

    async legs(wanted: CallFilter, page: PageWanted): Promise<{ total: number; rows: LegRow[] }> {
      const filter = await withNumbers(wanted);
      const matching = callSql.legs(filter);
      const total = await count(matching);
      const order = legOrder(callSql.legStarted('l'), page);
      // Whole rows only of the legs shown.
      const found = await rows(sql<LegRow>`
        select l.* from (select l.id from ${matching} order by ${order} limit ${page.limit} offset ${page.offset}) p
        join cdr_general l on l.id = p.id order by ${order}`);
      return { total, rows: found };
    },

    /** The range of ids that holds all legs of the calls in a window. */
    async legIds(filter: CallFilter): Promise<{ first: number; last: number } | undefined> {
      const known = await rows(blocksOf(filter));
      if (known.length === 0) return undefined;
      return {
        first: Math.min(...known.map((block) => block.lowest_id)),
        last: (known.at(-1) as Block).block * BLOCK_IDS + BLOCK_IDS - 1,
      };
    },
  };
}

const sum = (counts: ReadonlyMap<unknown, number>): number =>
  [...counts.values()].reduce((total, n) => total + n, 0);

/** Joins neighbouring blocks; if they are scattered, takes everything between the outermost. */
function runs(blocks: readonly number[]): [first: number, last: number][] {
  const found: [number, number][] = [];
  for (const block of blocks) {
    const current = found.at(-1);
    if (current && current[1] === block - 1) current[1] = block;
    else found.push([block, block]);
  }
  return found.length <= 8 ? found : [[found[0]![0], found.at(-1)![1]]];
}
