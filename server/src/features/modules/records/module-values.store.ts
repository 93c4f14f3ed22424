import type { Kysely, Transaction } from 'kysely';
import type { ValueRows } from '../../../module-host/data/record-rows.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { ModuleDatabase } from './module-database.ts';
import { refuseFull } from './module-size.ts';

interface ValueStoreParts {
  readonly db: Kysely<Database>;
  readonly database: ModuleDatabase;
  /** The place of the module's data: its id, or where they were moved to. */
  readonly place: string;
}

/** Values that one module keeps under keys of its own. */
export function createModuleValues({ db, database, place: moduleId }: ValueStoreParts): ValueRows {
  return {
    async get(key) {
      const row = await db
        .selectFrom('module_values')
        .select('value')
        .where('module_id', '=', moduleId)
        .where('key', '=', key)
        .executeTakeFirst();
      return row?.value;
    },
    async set(key, value) {
      const write = async (trx: Transaction<Database>): Promise<void> => {
        await trx
          .insertInto('module_values')
          .values({ module_id: moduleId, key, value })
          .onConflict((conflict) => conflict.columns(['module_id', 'key']).doUpdateSet({ value }))
          .execute();
        await refuseFull(trx, { place: moduleId, mostBytes: database.mostBytes });
      };
      await database.write(moduleId, () => db.transaction().execute(write));
    },
    async delete(key) {
      const query = db.deleteFrom('module_values').where('module_id', '=', moduleId).where('key', '=', key);
      await database.write(moduleId, () => query.execute());
    },
    async keys({ prefix, after, limit }) {
      const query = db
        .selectFrom('module_values')
        .select('key')
        .where('module_id', '=', moduleId)
        .where('key', '>', after)
        .where(({ eb, fn, val }) => eb(fn('substr', ['key', val(1), val([...prefix].length)]), '=', prefix))
        .orderBy('key')
        .limit(limit);
      const rows = await database.page(moduleId, (find) => find(query.compile()));
      return rows.map(({ key }) => key);
    },
  };
}
