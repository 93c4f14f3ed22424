import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { parseAddress, subscriberNetwork } from '../../../lib/network.ts';
import type { Database } from '../../../store/sql/schema.ts';

/** Sources kept per account, the newest ones. */
const KEPT = 50;

/** The source of a login: an IPv4 address or an IPv6 /64, within which a machine changes its address (ADR 18). */
export function sourceOf(address: string): string {
  const network = parseAddress(address);
  return network ? subscriberNetwork(network).text : address;
}

/** Sources from which accounts logged in before; these are neither slowed down nor queued (contract 17.5). */
export function createLoginSourceStore({ db, clock }: { db: Kysely<Database>; clock: Clock }) {
  return {
    /** Takes the login, so that the query takes as long for an account that does not exist. */
    async knows(login: string, source: string): Promise<boolean> {
      const found = await db
        .selectFrom('login_sources as s')
        .innerJoin('users as u', 'u.id', 's.user_id')
        .select('s.source')
        .where('u.login', '=', login)
        .where('s.source', '=', source)
        .executeTakeFirst();
      return found !== undefined;
    },

    async remember(userId: number, source: string): Promise<void> {
      const seen = { last_login_at: clock.now() };
      await db
        .insertInto('login_sources')
        .values({ user_id: userId, source, ...seen })
        .onConflict((conflict) => conflict.columns(['user_id', 'source']).doUpdateSet(seen))
        .execute();
      const newest = db
        .selectFrom('login_sources')
        .select('source')
        .where('user_id', '=', userId)
        .orderBy('last_login_at', 'desc')
        .limit(KEPT);
      await db
        .deleteFrom('login_sources')
        .where('user_id', '=', userId)
        .where('source', 'not in', newest)
        .execute();
    },

    /** Someone who knew the old password becomes a stranger again. */
    async forgetAllBut(userId: number, source: string): Promise<void> {
      await db
        .deleteFrom('login_sources')
        .where('user_id', '=', userId)
        .where('source', '!=', source)
        .execute();
    },
  };
}

export type LoginSourceStore = ReturnType<typeof createLoginSourceStore>;
