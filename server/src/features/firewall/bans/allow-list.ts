import { contains, type Network, uniqueSorted } from '../../../lib/network.ts';
import { isAllowEntry, readNetworks } from '../../../lib/network-list.ts';
import type { Fail2BanStore } from '../fail2ban/fail2ban.store.ts';
import type { NetworkFilterStore } from '../network-filters/network-filters.store.ts';

interface AllowEntry {
  readonly network: Network;
  readonly source: 'network-filter' | 'fail2ban';
  readonly networkFilterId?: string;
}

interface AllowListSources {
  readonly filters: NetworkFilterStore;
  readonly fail2ban: Fail2BanStore;
}

/** The operator's allow-list, merged from its two sources (contract 8.5). */
export function createAllowList({ filters, fail2ban }: AllowListSources) {
  function entries(): AllowEntry[] {
    return [
      ...filters.allowed().map(({ network, filterId }) => ({
        network,
        source: 'network-filter' as const,
        networkFilterId: String(filterId),
      })),
      ...readNetworks(fail2ban.current().whitelist)
        .networks.filter(isAllowEntry)
        .map((network) => ({ network, source: 'fail2ban' as const })),
    ];
  }

  return {
    /** Rejects when a source cannot be read. */
    async settle(): Promise<void> {
      await Promise.all([filters.settle(), fail2ban.settle()]);
    },

    entries,

    /** The wire form: unique, in byte order. */
    texts: (): string[] => uniqueSorted(entries().map(({ network }) => network.text)),

    /** Entries equal to or containing a network. */
    covering: (network: Network): AllowEntry[] =>
      entries().filter((entry) => contains(entry.network, network)),

    onChange(listener: () => void): void {
      filters.onChange(listener);
      fail2ban.onChange(listener);
    },
  };
}

export type AllowList = ReturnType<typeof createAllowList>;
