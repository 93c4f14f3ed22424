import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { Conflict } from '../../../lib/errors.ts';
import type { RecordRow, RecordRows, RecordValues, RowChange } from '../../../module-host/stored-records.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { DuplicateKey } from '../../../store/sql/sql-errors.ts';
import { recordId, saveBatch } from './module-records-batch.ts';

interface RecordStoreParts {
  readonly db: Kysely<Database>;
  readonly moduleId: string;
  readonly resource: string;
}

/** Records of one resource of one module. */
export function createModuleRecords({ db, moduleId, resource }: RecordStoreParts): RecordRows {
  const own = { module_id: moduleId, resource };
  const rows = (from: Kysely<Database> | Transaction<Database> = db) =>
    from.selectFrom('module_records').where('module_id', '=', moduleId).where('resource', '=', resource);

  /** The row of the resource is taken first: writers of one resource come one after the other. */
  async function nextId(trx: Transaction<Database>, step: number): Promise<number> {
    const { last_id } = await trx
      .insertInto('module_resources')
      .values({ ...own, last_id: step })
      .onConflict((conflict) =>
        conflict
          .columns(['module_id', 'resource'])
          .doUpdateSet(({ ref }) => ({ last_id: sql<number>`${ref('module_resources.last_id')} + ${step}` })),
      )
      .returning('last_id')
      .executeTakeFirstOrThrow();
    return last_id;
  }

  async function claim(trx: Transaction<Database>, id: number, { unique }: RecordRow): Promise<void> {
    for (const [field, value] of Object.entries(unique)) {
      const taken = await holder(trx, field, value);
      if (taken !== undefined && taken !== id) throw new Conflict(`${field}: already taken`);
    }
    await trx
      .deleteFrom('module_unique')
      .where('module_id', '=', moduleId)
      .where('resource', '=', resource)
      .where('record_id', '=', id)
      .execute();
    for (const [field, value] of Object.entries(unique))
      await trx
        .insertInto('module_unique')
        .values({ ...own, field, value, record_id: id })
        .execute();
  }

  async function holder(
    from: Kysely<Database> | Transaction<Database>,
    field: string,
    value: string,
  ): Promise<number | undefined> {
    const row = await from
      .selectFrom('module_unique')
      .select('record_id')
      .where('module_id', '=', moduleId)
      .where('resource', '=', resource)
      .where('field', '=', field)
      .where('value', '=', value)
      .executeTakeFirst();
    return row?.record_id;
  }

  async function get(id: string): Promise<RecordValues | undefined> {
    const row = await rows().select('data').where('id', '=', recordId(id)).executeTakeFirst();
    return row && (JSON.parse(row.data) as RecordValues);
  }

  async function insert(trx: Transaction<Database>, row: RecordRow): Promise<string> {
    const id = await nextId(trx, 1);
    await claim(trx, id, row);
    await trx
      .insertInto('module_records')
      .values({ ...own, id, data: JSON.stringify(row.values), search_text: row.searchText })
      .execute();
    return String(id);
  }

  async function update(
    trx: Transaction<Database>,
    id: string,
    change: RowChange['change'],
  ): Promise<RecordValues | undefined> {
    await nextId(trx, 0);
    const stored = await rows(trx).select('data').where('id', '=', recordId(id)).executeTakeFirst();
    if (!stored) return undefined;
    const row = change(JSON.parse(stored.data) as RecordValues);
    await claim(trx, recordId(id), row);
    await trx
      .updateTable('module_records')
      .set({ data: JSON.stringify(row.values), search_text: row.searchText })
      .where('module_id', '=', moduleId)
      .where('resource', '=', resource)
      .where('id', '=', recordId(id))
      .execute();
    return row.values;
  }

  const write = <T>(work: (trx: Transaction<Database>) => Promise<T>): Promise<T> =>
    db
      .transaction()
      .execute(work)
      .catch((error: unknown) => {
        throw error instanceof DuplicateKey ? new Conflict('already taken') : error;
      });

  return {
    async list({ limit, offset, search }) {
      const pattern = search === undefined ? undefined : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
      const matching =
        pattern === undefined ? rows() : rows().where(sql<SqlBool>`search_text like ${pattern} escape '\\'`);
      const { total } = await matching
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      let page = matching.select(['id', 'data']).orderBy('id');
      if (limit !== undefined) page = page.limit(limit).offset(offset);
      const found = await page.execute();
      return {
        rows: found.map(({ id, data }) => ({ id: String(id), values: JSON.parse(data) })),
        total: Number(total),
      };
    },
    get,
    async find(field, value) {
      const id = await holder(db, field, value);
      const values = id === undefined ? undefined : await get(String(id));
      return values && { id: String(id), values };
    },
    insert: (row) => write((trx) => insert(trx, row)),
    update: (id, change) => write((trx) => update(trx, id, change)),
    save: (changes) =>
      write((trx) => saveBatch({ trx, own, takeIds: (count) => nextId(trx, count) }, changes)),
    remove: (id) =>
      write(async (trx) => {
        await nextId(trx, 0);
        await claim(trx, recordId(id), { values: {}, searchText: '', unique: {} });
        const { numDeletedRows } = await trx
          .deleteFrom('module_records')
          .where('module_id', '=', moduleId)
          .where('resource', '=', resource)
          .where('id', '=', recordId(id))
          .executeTakeFirst();
        return numDeletedRows > 0n;
      }),
  };
}
