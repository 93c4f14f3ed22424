import type { Kysely } from 'kysely';
import { RuleBroken } from '../../../lib/errors.ts';
import type { Database } from '../../../store/sql/schema.ts';

/** A module has reached its storage limit. */
export class ModuleFull extends RuleBroken {}

/** After a write, in its transaction: throws if the module keeps more than it may. Triggers have counted by then. */
export async function refuseFull(
  db: Kysely<Database>,
  { place, mostBytes }: { readonly place: string; readonly mostBytes: number },
): Promise<void> {
  const row = await db
    .selectFrom('module_sizes')
    .select('bytes')
    .where('module_id', '=', place)
    .executeTakeFirst();
  if (Number(row?.bytes ?? 0) > mostBytes)
    throw new ModuleFull(`full: the module may store at most ${mostBytes} bytes, delete some first`);
}
