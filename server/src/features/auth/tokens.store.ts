import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/sql/schema.ts';

export interface LivingToken {
  readonly userId: number;
  readonly session: string;
}

/** Tokens that are alive, by hash. What is not listed here is dead, however well it is signed. */
export function createTokenStore({ db, clock }: { db: Kysely<Database>; clock: Clock }) {
  const hashOf = (token: string) => hash('sha256', token);

  return {
    async add(
      kind: 'access' | 'refresh',
      token: string,
      owner: LivingToken,
      expiresAt: number,
    ): Promise<void> {
      await db.deleteFrom('auth_tokens').where('expires_at', '<', clock.now()).execute();
      await db
        .insertInto('auth_tokens')
        .values({
          hash: hashOf(token),
          kind,
          user_id: owner.userId,
          session: owner.session,
          expires_at: expiresAt,
        })
        .execute();
    },

    /** With whom it stands for: without a user there is no living token. */
    find(kind: 'access' | 'refresh', token: string): Promise<(LivingToken & { login: string }) | undefined> {
      return db
        .selectFrom('auth_tokens')
        .innerJoin('users', 'users.id', 'auth_tokens.user_id')
        .select(['auth_tokens.user_id as userId', 'auth_tokens.session', 'users.login'])
        .where('hash', '=', hashOf(token))
        .where('kind', '=', kind)
        .where('expires_at', '>=', clock.now())
        .executeTakeFirst();
    },

    async endSession(session: string): Promise<void> {
      await db.deleteFrom('auth_tokens').where('session', '=', session).execute();
    },

    async endAllBut(userId: number, survivor: string): Promise<void> {
      await db
        .deleteFrom('auth_tokens')
        .where('user_id', '=', userId)
        .where('hash', '!=', hashOf(survivor))
        .execute();
    },
  };
}

export type TokenStore = ReturnType<typeof createTokenStore>;
