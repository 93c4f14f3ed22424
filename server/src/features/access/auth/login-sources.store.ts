import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { parseAddress, subscriberNetwork } from '../../../lib/network.ts';
import type { Database } from '../../../store/sql/schema.ts';

/** For each account, the newest. */
const KEPT = 50;

/** Where a login comes from: an IPv4 address or an IPv6 /64, since the addresses of one machine change in that (ADR 18). */
export function sourceOf(address: string): string {
  const network = parseAddress(address);
  return network ? subscriberNetwork(network).text : address;
}

/** From where accounts logged in before: those places are neither slowed down nor kept waiting (contract 17.5). */
export function createLoginSourceStore({ db, clock }: { db: Kysely<Database>; clock: Clock }) {
  return {
    /** By the name of the account, so that one that does not exist takes as long. */
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

    /** Whoever had the old password is a stranger again. */
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
