import { setImmediate as otherWork } from 'node:timers/promises';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../../../store/sql/schema.ts';
import { MODULE_TABLES } from '../records/data-places.store.ts';

/** Removed at a time: other requests come in between. */
const AT_ONCE = 500;

/**
 * Forgets a module: what it stored, then its settings and that it was ever there. That row goes last, so that a purge
 * that was cut off can be made again.
 */
export async function purgeModule(db: Kysely<Database>, id: string): Promise<void> {
  for (const place of await placesOf(db, id)) {
    await purgeRecords(db, place);
    for (const table of MODULE_TABLES) await db.deleteFrom(table).where('module_id', '=', place).execute();
  }
  await db.deleteFrom('modules').where('id', '=', id).execute();
}

/** Its data may have been moved: `Id~…` is a place of the module `Id`, and has a row in the table of resources. */
async function placesOf(db: Kysely<Database>, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('module_resources')
    .select('module_id')
    .distinct()
    .where('module_id', 'like', `${id}~%`)
    .execute();
  // SQLite does not tell capitals from small letters here.
  return [id, ...rows.map((row) => row.module_id).filter((place) => place.startsWith(`${id}~`))];
}

async function purgeRecords(db: Kysely<Database>, place: string): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('module_records')
      .select(['resource', 'id'])
      .where('module_id', '=', place)
      .orderBy('resource')
      .orderBy('id')
      .limit(AT_ONCE)
      .execute();
    const first = rows[0];
    if (!first) return;
    const last = rows.findLast(({ resource }) => resource === first.resource) ?? first;
    const of = sql<SqlBool>`module_id = ${place} and resource = ${first.resource}`;
    await db.deleteFrom('module_unique').where(of).where('record_id', '<=', last.id).execute();
    await db.deleteFrom('module_records').where(of).where('id', '<=', last.id).execute();
    await otherWork();
  }
}
