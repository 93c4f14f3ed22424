import type { Kysely } from 'kysely';
import { type Database, flagText, isSet } from '../../../store/sql/schema.ts';

export interface User {
  readonly id: number;
  readonly login: string;
  readonly passwordHash: string;
  readonly language: string;
  /** Whether the password is still the one that the first start generated. */
  readonly passwordIsGenerated: boolean;
}

interface NewUser {
  readonly login: string;
  readonly passwordHash: string;
  readonly passwordIsGenerated: boolean;
  readonly createdAt: number;
}

export function createUserStore({ db }: { db: Kysely<Database> }) {
  async function find(column: 'id' | 'login', value: number | string): Promise<User | undefined> {
    const row = await db
      .selectFrom('users')
      .select(['id', 'login', 'password_hash as passwordHash', 'language', 'password_generated'])
      .where(column, '=', value)
      .executeTakeFirst();
    if (!row) return undefined;
    const { password_generated, ...user } = row;
    return { ...user, passwordIsGenerated: isSet(password_generated) };
  }

  return {
    byLogin: (login: string) => find('login', login),
    byId: (id: number) => find('id', id),

    async isEmpty(): Promise<boolean> {
      return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;
    },

    /** Resolves to false when another node inserted the user first. */
    async insert({ login, passwordHash, passwordIsGenerated, createdAt }: NewUser): Promise<boolean> {
      const inserted = await db
        .insertInto('users')
        .values({
          login,
          password_hash: passwordHash,
          password_generated: flagText(passwordIsGenerated),
          created_at: createdAt,
        })
        .onConflict((conflict) => conflict.column('login').doNothing())
        .returning('id')
        .executeTakeFirst();
      return inserted !== undefined;
    },

    async setPassword(id: number, passwordHash: string): Promise<void> {
      await db
        .updateTable('users')
        .set({ password_hash: passwordHash, password_generated: '0' })
        .where('id', '=', id)
        .execute();
    },
  };
}

export type UserStore = ReturnType<typeof createUserStore>;
