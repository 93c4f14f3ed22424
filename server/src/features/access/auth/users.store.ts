import type { Kysely } from 'kysely';
import type { Database } from '../../../store/sql/schema.ts';

export interface User {
  readonly id: number;
  readonly login: string;
  readonly passwordHash: string;
  readonly language: string;
}

export function createUserStore({ db }: { db: Kysely<Database> }) {
  const users = () =>
    db.selectFrom('users').select(['id', 'login', 'password_hash as passwordHash', 'language']);

  return {
    byLogin: (login: string): Promise<User | undefined> =>
      users().where('login', '=', login).executeTakeFirst(),
    byId: (id: number): Promise<User | undefined> => users().where('id', '=', id).executeTakeFirst(),

    async isEmpty(): Promise<boolean> {
      return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;
    },

    /** Resolves to false when another node was first. */
    async insert(login: string, passwordHash: string, createdAt: number): Promise<boolean> {
      const inserted = await db
        .insertInto('users')
        .values({ login, password_hash: passwordHash, created_at: createdAt })
        .onConflict((conflict) => conflict.column('login').doNothing())
        .returning('id')
        .executeTakeFirst();
      return inserted !== undefined;
    },

    async setPassword(id: number, passwordHash: string): Promise<void> {
      await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', id).execute();
    },
  };
}

export type UserStore = ReturnType<typeof createUserStore>;
