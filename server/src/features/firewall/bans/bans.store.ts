import { type Network, parseNetwork } from '../../../lib/network.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';

export const CATEGORIES = ['sip', 'http', 'ami', 'iax'] as const;
export type Category = (typeof CATEGORIES)[number];

export interface Ban {
  readonly category: Category;
  readonly network: Network;
  /** Milliseconds, `Infinity` for a ban without end. */
  readonly expiresAt: number;
}

type BanName = Pick<Ban, 'category' | 'network'>;

/** Called when the longest ban of (value, category) changes; `undefined` = no key holds it any more. */
export type BanListener = (category: Category, network: Network, expiresAt: number | undefined) => void;

interface BanStoreParts {
  readonly ttl: TtlStore;
  readonly keyPrefix: string;
  /** Called for each ban key whose address cannot be read (contract 8.3). */
  readonly onUnreadable?: (key: string) => void;
}

/**
 * Bans as expiring keys, `<prefix>firewall:<category>:<ip>`; no other file reads or writes this format. Other programs
 * write such keys too, in other spellings, so several keys may hold one ban; the longest counts (contract 8.3).
 */
export function createBanStore({ ttl, keyPrefix, onUnreadable }: BanStoreParts) {
  const root = `${keyPrefix}firewall:`;
  const mirror = ttl.mirror(root);
  /** Ban name (category and normalised value) to the keys that hold it. */
  const bans = new Map<string, { category: Category; network: Network; keys: Map<string, number> }>();
  const unreadable = new Set<string>();
  const listeners: BanListener[] = [];

  mirror.listen((key, expiresAt) => {
    const parsed = parseKey(key);
    if (!parsed) return;
    if (parsed === 'unreadable') {
      if (expiresAt === undefined) unreadable.delete(key);
      else if (!unreadable.has(key)) {
        unreadable.add(key);
        onUnreadable?.(key);
      }
      return;
    }
    const { category, network } = parsed;
    const name = banName(category, network);
    const ban = bans.get(name) ?? { category, network, keys: new Map() };
    const before = longest(ban.keys);
    if (expiresAt === undefined) ban.keys.delete(key);
    else ban.keys.set(key, expiresAt);
    const after = longest(ban.keys);
    if (after === undefined) bans.delete(name);
    else bans.set(name, ban);
    if (after !== before) for (const listener of listeners) listener(category, network, after);
  });

  return {
    /** Resolves once every ban written before this call has reached the listeners. */
    settle: () => mirror.settle(),

    /** Calls the listener at once for every ban already known, such as those stored before the start. */
    listen(listener: BanListener): void {
      listeners.push(listener);
      for (const { category, network, keys } of bans.values()) listener(category, network, longest(keys));
    },

    /** Every readable ban, including those of loopback and the like. Call `settle` first. */
    list(): Ban[] {
      return [...bans.values()].map(({ category, network, keys }) => ({
        category,
        network,
        expiresAt: longest(keys) ?? 0,
      }));
    },

    /** Ban keys whose address cannot be read. */
    unreadableKeys: (): string[] => [...unreadable].sort(),

    /** The part of a ban key after the prefix and category: the address. */
    addressText: (key: string): string => key.slice(key.indexOf(':', root.length) + 1),

    async write(category: Category, network: Network, seconds: number): Promise<void> {
      await ttl.set(keyOf(category, network), '1', seconds * 1000);
    },

    /** Lifts the ban of exactly this value; resolves to the categories that held one. */
    async lift(network: Network, categories: readonly Category[] = CATEGORIES): Promise<Category[]> {
      const lifted = await lift(categories.map((category) => ({ category, network })));
      return lifted.map(({ category }) => category);
    },

    /** Lifts many in one request to the store instead of waiting for each. */
    async liftAll(named: readonly BanName[]): Promise<void> {
      await lift(named);
    },

    /** Remaining milliseconds of one ban, `undefined` when there is none. */
    async remaining(category: Category, network: Network): Promise<number | undefined> {
      return ttl.remaining(keyOf(category, network));
    },

    /** The key that holds a ban longest; the one we would write when none does. */
    keyHolding(category: Category, network: Network): string {
      const keys = [...(bans.get(banName(category, network))?.keys ?? [])];
      return keys.sort(([, a], [, b]) => b - a)[0]?.[0] ?? keyOf(category, network);
    },
  };

  /** Resolves to those that a key held. */
  async function lift(named: readonly BanName[]): Promise<BanName[]> {
    await mirror.settle();
    const keysOf = named.map(({ category, network }) => [
      ...(bans.get(banName(category, network))?.keys.keys() ?? []),
      keyOf(category, network),
    ]);
    const deleted = new Set(await ttl.delete(keysOf.flat()));
    return named.filter((_, i) => keysOf[i]?.some((key) => deleted.has(key)));
  }

  function keyOf(category: Category, network: Network): string {
    return `${root}${category}:${network.text}`;
  }

  /** The address is all text after the second colon. Other `firewall:*` keys are not bans. */
  function parseKey(key: string): { category: Category; network: Network } | 'unreadable' | undefined {
    const rest = key.slice(root.length);
    const colon = rest.indexOf(':');
    const category = rest.slice(0, colon) as Category;
    if (colon < 0 || !CATEGORIES.includes(category)) return undefined;
    const network = parseNetwork(rest.slice(colon + 1));
    return network ? { category, network } : 'unreadable';
  }
}

export type BanStore = ReturnType<typeof createBanStore>;

const banName = (category: Category, network: Network): string => `${category} ${network.text}`;

function longest(keys: ReadonlyMap<string, number>): number | undefined {
  let end: number | undefined;
  for (const expiresAt of keys.values()) if (end === undefined || expiresAt > end) end = expiresAt;
  return end;
}
