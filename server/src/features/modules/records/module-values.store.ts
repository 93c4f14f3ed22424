import type { Kysely } from 'kysely';
import type { ValueRows } from '../../../module-host/module-questions.ts';
import type { Database } from '../../../store/sql/schema.ts';

/** Values that one module keeps under keys of its own. */
export function createModuleValues({ db, moduleId }: { db: Kysely<Database>; moduleId: string }): ValueRows {
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
      await db
        .insertInto('module_values')
        .values({ module_id: moduleId, key, value })
        .onConflict((conflict) => conflict.columns(['module_id', 'key']).doUpdateSet({ value }))
        .execute();
    },
    async delete(key) {
      await db.deleteFrom('module_values').where('module_id', '=', moduleId).where('key', '=', key).execute();
    },
    async keys(prefix, limit) {
      const rows = await db
        .selectFrom('module_values')
        .select('key')
        .where('module_id', '=', moduleId)
        .where(({ eb, fn, val }) => eb(fn('substr', ['key', val(1), val(prefix.length)]), '=', prefix))
        .orderBy('key')
        .limit(limit)
        .execute();
      return rows.map(({ key }) => key);
    },
  };
}
