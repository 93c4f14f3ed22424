import { RECORD_ID } from '@pbxcore/module/fields';
import type { Transaction } from 'kysely';
import { Conflict, NotFound } from '../../../lib/errors.ts';
import type { RecordRow, RecordValues, RowChange } from '../../../module-host/data/record-rows.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { claimOf, createUniqueValues, parts } from './unique-values.ts';

interface BatchParts {
  readonly trx: Transaction<Database>;
  readonly own: { readonly module_id: string; readonly resource: string };
  /** Reserves this many ids, and locks out other writers of the resource. Returns the last id. */
  readonly takeIds: (count: number) => Promise<number>;
}

/**
 * Writes many records with a handful of statements. The outcome of each, as if they came one after the other, is
 * decided in memory: nobody else writes this resource meanwhile.
 */
export async function saveBatch(
  { trx, own, takeIds }: BatchParts,
  changes: readonly RowChange[],
): Promise<(string | NotFound | Conflict)[]> {
  const added = changes.filter(({ id }) => id === undefined).length;
  const before = Number(await takeIds(added)) - added;
  let lastId = before;
  const values = await storedValues(changes.flatMap(({ id }) => (id === undefined ? [] : recordId(id))));
  const unique = createUniqueValues(trx, own);
  const claims = await unique.claims([...values.keys()]);
  const wanted = changes.flatMap(({ id, change }) => {
    const before = id === undefined ? {} : values.get(recordId(id));
    return before ? Object.entries(change(before).unique) : [];
  });
  const holders = await unique.holders(wanted);
  const written = new Map<number, RecordRow>();

  const outcomes = changes.map(({ id: known, change }): string | NotFound | Conflict => {
    const id = known === undefined ? ++lastId : recordId(known);
    const stored = known === undefined ? {} : values.get(id);
    if (!stored) return new NotFound(`record ${known} not found`);
    const row = change(stored);
    const keys = Object.entries(row.unique).map(([field, value]) => ({ field, key: claimOf(field, value) }));
    const taken = keys.find(({ key }) => (holders.get(key) ?? id) !== id);
    if (taken) return new Conflict(`${taken.field}: already taken`);
    for (const key of claims.get(id) ?? []) holders.delete(key);
    for (const { key } of keys) holders.set(key, id);
    claims.set(
      id,
      keys.map(({ key }) => key),
    );
    values.set(id, row.values);
    written.set(id, row);
    return String(id);
  });
  await write(written);
  return outcomes;

  function records() {
    const { module_id, resource } = own;
    return trx
      .selectFrom('module_records')
      .where('module_id', '=', module_id)
      .where('resource', '=', resource);
  }

  async function storedValues(ids: number[]): Promise<Map<number, RecordValues>> {
    const found = new Map<number, RecordValues>();
    for (const part of parts(ids)) {
      const rows = await records().select(['id', 'data']).where('id', 'in', part).execute();
      for (const { id, data } of rows) found.set(Number(id), JSON.parse(data) as RecordValues);
    }
    return found;
  }

  async function write(rows: ReadonlyMap<number, RecordRow>): Promise<void> {
    await unique.replace(new Map([...rows].map(([id, row]) => [id, row.unique])));
    for (const part of parts([...rows])) {
      const values = part.map(([id, row]) => ({
        ...own,
        id,
        data: JSON.stringify(row.values),
        search_text: row.searchText,
      }));
      // A new record replaces nothing, whatever the id counter says.
      const { fresh = [], known = [] } = Object.groupBy(values, ({ id }) =>
        id > before ? 'fresh' : 'known',
      );
      if (fresh.length > 0) await trx.insertInto('module_records').values(fresh).execute();
      if (known.length > 0)
        await trx
          .insertInto('module_records')
          .values(known)
          .onConflict((conflict) =>
            conflict.columns(['module_id', 'resource', 'id']).doUpdateSet(({ ref }) => ({
              data: ref('excluded.data'),
              search_text: ref('excluded.search_text'),
            })),
          )
          .execute();
    }
  }
}

const ID = new RegExp(`^${RECORD_ID}$`);
/** Digits that fit the column; anything else is the id of no record. */
export const recordId = (text: string): number => (ID.test(text) ? Number(text) : 0);
