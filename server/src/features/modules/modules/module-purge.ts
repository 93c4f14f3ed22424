import type { Kysely } from 'kysely';
import type { DataPlaces } from '../../../module-host/data/data-places.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { placesOf } from '../records/data-places.store.ts';

/**
 * Deletes what a module stored, then its row with settings and decisions. The row goes last, so that an interrupted
 * purge can be repeated.
 */
export async function purgeModule(
  db: Kysely<Database>,
  id: string,
  forget: DataPlaces['forget'],
): Promise<void> {
  for (const place of await placesOf(db, id)) await forget(place);
  await db.deleteFrom('modules').where('id', '=', id).execute();
}
