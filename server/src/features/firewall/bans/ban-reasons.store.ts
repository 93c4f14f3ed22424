import { type Network, parseNetwork } from '../../../lib/network.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import type { Category } from './bans.store.ts';

/** Strangers choose the account names, so the number shown and the length of each are limited. */
const MOST_ACCOUNTS = 5;
const LONGEST_ACCOUNT = 64;

/** Why somebody was banned (contract 7.8). */
export interface BanReason {
  /** 0 for a ban made by hand. */
  readonly failures: number;
  /** Accounts of the failed attempts, most tried first. */
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
 * The reasons for bans, as keys that expire with them, `<prefix>:ban-reason:<category>:<ip>:<reason>`. The ban itself
 * is a key that other programs read and write too, and its value has no meaning (contract 8.3). The reason is part of
 * the key name because a mirror holds only names: listing a hundred thousand bans needs no request to the store.
 */
export function createBanReasonStore({ ttl, redisPrefix }: ReasonStoreParts) {
  const root = `${redisPrefix}:ban-reason:`;
  const mirror = ttl.mirror(root);
  /** By category and value, then by key name. */
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

    /** Call `settle` first. The reason that lasts longest counts, as with bans. */
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
      // The reason must be in the mirror before the ban: this node may publish the event of the ban.
      await mirror.settle();
    },

    /** To be called when the ban is lifted. */
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

/** `undefined` when we did not write it. */
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

/** The accounts tried most, from their counts; control characters are removed. */
export function triedAccounts(failed: ReadonlyMap<string, number>): string[] {
  return (
    [...failed]
      // The shared counter of all further names.
      .filter(([account]) => !account.startsWith('\0'))
      .sort(([, a], [, b]) => b - a)
      .map(([account]) => account.replace(/\p{C}/gu, '').slice(0, LONGEST_ACCOUNT).toWellFormed())
      .filter((account) => account !== '')
      .slice(0, MOST_ACCOUNTS)
  );
}
