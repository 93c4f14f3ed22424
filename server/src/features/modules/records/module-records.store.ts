import { type Kysely, sql, type Transaction } from 'kysely';
import { Conflict } from '../../../lib/errors.ts';
import type {
  RecordRow,
  RecordRows,
  RecordValues,
  RowChange,
} from '../../../module-host/data/record-rows.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { DuplicateKey } from '../../../store/sql/sql-errors.ts';
import type { ModuleDatabase } from './module-database.ts';
import { createModuleLists } from './module-lists.ts';
import { recordId, saveBatch } from './module-records-batch.ts';
import { ModuleFull, refuseFull } from './module-size.ts';
import { claimOf, createUniqueValues } from './unique-values.ts';

interface RecordStoreParts {
  readonly db: Kysely<Database>;
  readonly database: ModuleDatabase;
  /** The place of the module's data: its id, or where they were moved to. */
  readonly place: string;
  readonly resource: string;
}

/** Records of one resource of one module. */
export function createModuleRecords({
  db,
  database,
  place: moduleId,
  resource,
}: RecordStoreParts): RecordRows {
  const own = { module_id: moduleId, resource };
  const rows = (from: Kysely<Database> | Transaction<Database> = db) =>
    from.selectFrom('module_records').where('module_id', '=', moduleId).where('resource', '=', resource);

  /** Locks the row of the resource first: its writers come one after the other. */
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
    const values = createUniqueValues(trx, own);
    const holders = await values.holders(Object.entries(unique));
    for (const [field, value] of Object.entries(unique))
      if ((holders.get(claimOf(field, value)) ?? id) !== id) throw new Conflict(`${field}: already taken`);
    await values.replace(new Map([[id, unique]]));
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
    database
      .write(moduleId, () => db.transaction().execute(work))
      .catch((error: unknown) => {
        throw error instanceof DuplicateKey ? new Conflict('already taken') : error;
      });

  const writeMore = <T>(work: (trx: Transaction<Database>) => Promise<T>): Promise<T> =>
    write(async (trx) => {
      const done = await work(trx);
      await refuseFull(trx, { place: moduleId, mostBytes: database.mostBytes });
      return done;
    });

  return {
    ...createModuleLists({ db, database, own }),
    get,
    async find(field, value) {
      const id = (await createUniqueValues(db, own).holders([[field, value]])).get(claimOf(field, value));
      const values = id === undefined ? undefined : await get(String(id));
      return values && { id: String(id), values };
    },
    insert: (row) => writeMore((trx) => insert(trx, row)),
    update: (id, change) => writeMore((trx) => update(trx, id, change)),
    async save(changes) {
      const outcomes: Awaited<ReturnType<RecordRows['save']>> = [];
      for (let i = 0; i < changes.length; i += database.rowsAtOnce) {
        const some = changes.slice(i, i + database.rowsAtOnce);
        const takeIds = (trx: Transaction<Database>) => (count: number) => nextId(trx, count);
        const saved = writeMore((trx) => saveBatch({ trx, own, takeIds: takeIds(trx) }, some));
        // This batch is rolled back and reported; those before it stay written.
        const full = (error: unknown) => {
          if (error instanceof ModuleFull) return some.map(() => error);
          throw error;
        };
        outcomes.push(...(await saved.catch(full)));
      }
      return outcomes;
    },
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
