import { type Kysely, type SqlBool, sql } from 'kysely';
import { inPieces } from '../../../lib/in-pieces.ts';
import type { RecordRows, RecordValues, RowsWanted } from '../../../module-host/data/record-rows.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { Find, ModuleDatabase } from './module-database.ts';
import { recordId } from './module-records-batch.ts';

interface ListParts {
  readonly db: Kysely<Database>;
  readonly database: ModuleDatabase;
  readonly own: { readonly module_id: string; readonly resource: string };
}

/** Searching more records than this takes longer than others should wait. */
const FEW = 10_000;

/** Lists of the records of one resource. */
export function createModuleLists({ db, database, own }: ListParts): Pick<RecordRows, 'some' | 'count'> {
  const { module_id, resource } = own;
  const all = () =>
    db.selectFrom('module_records').where('module_id', '=', module_id).where('resource', '=', resource);

  function matching(search: string | undefined) {
    if (search === undefined) return all();
    const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
    return all().where(sql<SqlBool>`search_text like ${pattern} escape '\\'`);
  }

  /** Counts not begun yet: counting takes longest, and one count serves all who wait. */
  const counts = new Map<string | undefined, Promise<number>>();

  async function run<T>(search: string | undefined, work: (find: Find) => Promise<T>): Promise<T> {
    const beyond = all().select('id').orderBy('id').limit(1).offset(FEW).compile();
    const isShort =
      search === undefined || (await database.page(module_id, (find) => find(beyond))).length === 0;
    return isShort ? database.page(module_id, work) : database.search(module_id, work);
  }

  return {
    some: ({ search, after, offset, limit, bytes }: RowsWanted) =>
      run(search, async (find) => {
        const from =
          after === undefined ? matching(search) : matching(search).where('id', '>', recordId(after));
        // Sizes first, so that rows beyond the limit are not even read. One more than wanted, to know if there are
        // more.
        const sizes = await find(
          from
            .select(['id', sql<number>`length(data)`.as('size')])
            .orderBy('id')
            .limit(limit + 1)
            .offset(offset)
            .compile(),
        );
        const count = fitting(sizes.slice(0, limit), bytes);
        const [first, last] = [sizes[0], sizes[count - 1]];
        if (!first || !last) return { rows: [], hasMore: false, isCut: false };
        const found = await find(
          matching(search)
            .select(['id', 'data'])
            .where('id', '>=', first.id)
            .where('id', '<=', last.id)
            .orderBy('id')
            .limit(limit)
            .compile(),
        );
        const rows = await inPieces(
          found,
          ({ id, data }) => ({ id: String(id), values: JSON.parse(data) as RecordValues }),
          ({ data }) => data.length,
        );
        return {
          rows,
          hasMore: sizes.length > count,
          isCut: count < Math.min(limit, sizes.length),
        };
      }),

    count(search) {
      const same = counts.get(search);
      if (same) return same;
      const made = run(search, async (find) => {
        // Later callers may have written records that this count does not see.
        counts.delete(search);
        const query = matching(search).select(({ fn }) => fn.countAll<number>().as('total'));
        const [row] = await find(query.compile());
        return Number(row?.total ?? 0);
      });
      counts.set(search, made);
      made.catch(() => counts.delete(search));
      return made;
    },
  };
}

/** How many rows from the beginning fit into this many bytes; at least one. */
function fitting(sizes: readonly { readonly size: number }[], bytes: number): number {
  let sum = 0;
  const beyond = sizes.findIndex(({ size }, place) => {
    sum += Number(size);
    return sum > bytes && place > 0;
  });
  return beyond === -1 ? sizes.length : beyond;
}
