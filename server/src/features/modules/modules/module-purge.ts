import type { Kysely } from 'kysely';
import type { DataPlaces } from '../../../module-host/data/data-places.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { placesOf } from '../records/data-places.store.ts';

/**
 * Forgets a module: what it stored, then its settings and that it was ever there. That row goes last, so that a purge
 * that was cut off can be made again.
 */
export async function purgeModule(
  db: Kysely<Database>,
  id: string,
  forget: DataPlaces['forget'],
): Promise<void> {
  for (const place of await placesOf(db, id)) await forget(place);
  await db.deleteFrom('modules').where('id', '=', id).execute();
}
