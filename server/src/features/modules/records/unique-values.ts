import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../../store/sql/schema.ts';

/** Values per statement: databases limit the number of parameters. */
const PER_STATEMENT = 500;

export function* parts<T>(list: readonly T[]): Generator<T[]> {
  for (let i = 0; i < list.length; i += PER_STATEMENT) yield list.slice(i, i + PER_STATEMENT);
}

export const claimOf = (field: string, value: string): string => `${field}\n${value}`;

/** Which record of a resource holds which unique value. In few statements: a record may have many. */
export function createUniqueValues(
  db: Kysely<Database> | Transaction<Database>,
  own: { readonly module_id: string; readonly resource: string },
) {
  return {
    /** Who holds these values, by `claimOf`. */
    async holders(
      wanted: readonly (readonly [field: string, value: string])[],
    ): Promise<Map<string, number>> {
      const found = new Map<string, number>();
      for (const part of parts(wanted)) {
        const values = sql.join(part.map(([field, value]) => sql`(${field}, ${value})`));
        const { rows } = await sql<{ field: string; value: string; record_id: number | string }>`
          with wanted(field, value) as (values ${values})
          select held.field, held.value, held.record_id from wanted cross join module_unique as held
          where held.module_id = ${own.module_id} and held.resource = ${own.resource}
            and held.field = wanted.field and held.value = wanted.value`.execute(db);
        for (const { field, value, record_id } of rows) found.set(claimOf(field, value), Number(record_id));
      }
      return found;
    },

    /** What these records hold, by `claimOf`. */
    async claims(ids: readonly number[]): Promise<Map<number, string[]>> {
      const found = new Map<number, string[]>();
      for (const part of parts(ids)) {
        const rows = await db
          .selectFrom('module_unique')
          .select(['field', 'value', 'record_id'])
          .where('module_id', '=', own.module_id)
          .where('resource', '=', own.resource)
          .where('record_id', 'in', part)
          .execute();
        for (const { field, value, record_id } of rows) {
          const id = Number(record_id);
          const held = found.get(id) ?? [];
          held.push(claimOf(field, value));
          found.set(id, held);
        }
      }
      return found;
    },

    /** Replaces what these records hold. All old claims go before the first new one: two may have swapped a value. */
    async replace(records: ReadonlyMap<number, Readonly<Record<string, string>>>): Promise<void> {
      for (const ids of parts([...records.keys()]))
        await db
          .deleteFrom('module_unique')
          .where('module_id', '=', own.module_id)
          .where('resource', '=', own.resource)
          .where('record_id', 'in', ids)
          .execute();
      const rows = [...records].flatMap(([record_id, unique]) =>
        Object.entries(unique).map(([field, value]) => ({ ...own, field, value, record_id })),
      );
      for (const some of parts(rows)) await db.insertInto('module_unique').values(some).execute();
    },
  };
}
