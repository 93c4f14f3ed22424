import { type Network, parseNetwork } from '../../../lib/network.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import type { Category } from './bans.store.ts';

/** Strangers choose names of accounts: so many are shown, and so much of each. */
const MOST_ACCOUNTS = 5;
const LONGEST_ACCOUNT = 64;

/** Why somebody was banned (contract 7.8). */
export interface BanReason {
  /** 0: it was banned by hand. */
  readonly failures: number;
  /** Those it failed to get in as, the most tried first. */
  readonly accounts: readonly string[];
  readonly note: string;
  /** Who banned it by hand: a login, or `key <id>`. */
  readonly by: string;
}

interface Known {
  readonly reason: BanReason;
  expiresAt: number;
}

interface ReasonStoreParts {
  readonly ttl: TtlStore;
  readonly redisPrefix: string;
}

/**
 * Why bans were made, as keys that end with them, `<prefix>:ban-reason:<category>:<ip>:<reason>`. A ban itself is a key
 * that others write and read too, and whose value says nothing (contract 8.3). The reason is part of the name, as that
 * is what a mirror holds: listing a hundred thousand bans asks the store for none of them.
 */
export function createBanReasonStore({ ttl, redisPrefix }: ReasonStoreParts) {
  const root = `${redisPrefix}:ban-reason:`;
  const mirror = ttl.mirror(root);
  /** By category and value, then by key. */
  const known = new Map<string, Map<string, Known>>();
  const placeOf = (category: Category, network: Network) => `${category}:${network.text}`;

  mirror.listen((key, expiresAt) => {
    const rest = key.slice(root.length);
    const place = rest.slice(0, rest.lastIndexOf(':'));
    const reason = decoded(rest.slice(place.length + 1));
    if (!reason || !parseNetwork(place.slice(place.indexOf(':') + 1))) return;
    const keys = known.get(place) ?? new Map<string, Known>();
    if (expiresAt === undefined) keys.delete(key);
    else keys.set(key, { reason, expiresAt });
    if (keys.size === 0) known.delete(place);
    else known.set(place, keys);
  });

  return {
    settle: () => mirror.settle(),

    /** Call `settle` first. The one that lasts longest counts, as it does of bans. */
    of(category: Category, network: Network): BanReason | undefined {
      const all = [...(known.get(placeOf(category, network))?.values() ?? [])];
      return all.sort((a, b) => b.expiresAt - a.expiresAt)[0]?.reason;
    },

    async write(category: Category, network: Network, seconds: number, reason: BanReason): Promise<void> {
      const place = placeOf(category, network);
      const key = `${root}${place}:${encoded(reason)}`;
      const others = [...(known.get(place)?.keys() ?? [])].filter((other) => other !== key);
      await ttl.set(key, '1', seconds * 1000);
      if (others.length > 0) await ttl.delete(others);
      // Known here before the ban is, of which this node may be the one that tells.
      await mirror.settle();
    },

    /** The ban is lifted. */
    async forget(network: Network, categories: readonly Category[]): Promise<void> {
      const keys = categories.flatMap((category) => [
        ...(known.get(placeOf(category, network))?.keys() ?? []),
      ]);
      if (keys.length > 0) await ttl.delete(keys);
    },
  };
}

export type BanReasonStore = ReturnType<typeof createBanReasonStore>;

const encoded = (reason: BanReason): string => Buffer.from(JSON.stringify(reason)).toString('base64url');

/** `undefined`: not written by us. */
function decoded(text: string): BanReason | undefined {
  try {
    const { failures, accounts, note, by } = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Number.isSafeInteger(failures) || failures < 0) return undefined;
    const some = accounts.slice(0, MOST_ACCOUNTS).map(String);
    return { failures, accounts: some, note: String(note), by: String(by) };
  } catch {
    return undefined;
  }
}

/** Of the counts per account; without signs that no account has. */
export function triedAccounts(failed: ReadonlyMap<string, number>): string[] {
  return (
    [...failed]
      // What was counted under no name of its own.
      .filter(([account]) => !account.startsWith('\0'))
      .sort(([, a], [, b]) => b - a)
      .map(([account]) => account.replace(/\p{C}/gu, '').slice(0, LONGEST_ACCOUNT).toWellFormed())
      .filter((account) => account !== '')
      .slice(0, MOST_ACCOUNTS)
  );
}
