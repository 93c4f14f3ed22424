import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** Single values that belong to the whole installation: secrets made at first start, switches. */
export function createSettings({ db }: { db: Kysely<Database> }) {
  async function get(key: string): Promise<string | undefined> {
    const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst();
    return row?.value;
  }

  return {
    get,

    async set(key: string, value: string): Promise<void> {
      await db
        .insertInto('settings')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute();
    },

    /** The stored value, or a new one. When several nodes create it at once, all get the same value. */
    async getOrMake(key: string, make: () => string): Promise<string> {
      const stored = await get(key);
      if (stored !== undefined) return stored;
      await db
        .insertInto('settings')
        .values({ key, value: make() })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .execute();
      return (await get(key)) as string;
    },
  };
}

export type Settings = ReturnType<typeof createSettings>;
