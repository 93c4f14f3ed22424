import { hash } from 'node:crypto';
import type { CompiledQuery, Kysely } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../store/sql/schema.ts';

interface LivingToken {
  readonly userId: number;
  readonly session: string;
}

/** With the login of its user; a token without a user is not found. */
type FoundToken = LivingToken & { readonly login: string };

const TOKENS_AT_ONCE = 500;

/** Tokens that are alive, by hash. A token not listed here is invalid even if its signature is right. */
export function createTokenStore({ db, clock }: { db: Kysely<Database>; clock: Clock }) {
  const hashOf = (token: string) => hash('sha256', token);
  // Every request runs this query: building it each time would cost more than running it.
  const living: CompiledQuery<FoundToken> = db
    .selectFrom('auth_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.user_id as userId', 't.session', 'u.login'])
    .where('t.hash', '=', '')
    .where('t.kind', '=', 'access')
    .where('t.expires_at', '>=', 0)
    .compile();

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

    find: async (kind: 'access' | 'refresh', token: string): Promise<FoundToken | undefined> =>
      (await db.executeQuery<FoundToken>({ ...living, parameters: [hashOf(token), kind, clock.now()] }))
        .rows[0],

    /** The subset of these access tokens that is alive. */
    async living(tokens: readonly string[]): Promise<Set<string>> {
      const byHash = new Map(tokens.map((token) => [hashOf(token), token]));
      const hashes = [...byHash.keys()];
      const alive = new Set<string>();
      for (let from = 0; from < hashes.length; from += TOKENS_AT_ONCE) {
        const rows = await db
          .selectFrom('auth_tokens')
          .select('hash')
          .where('hash', 'in', hashes.slice(from, from + TOKENS_AT_ONCE))
          .where('kind', '=', 'access')
          .where('expires_at', '>=', clock.now())
          .execute();
        for (const row of rows) alive.add(byHash.get(row.hash) as string);
      }
      return alive;
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
