import { contains, isCatchAll, isUnbannable, type Network, parseAddress } from '../../../lib/network.ts';
import { readNetworks } from '../../../lib/network-list.ts';

/** A row of `m_NetworkFilters` as read; other tools write the table too (contract 11). */
export interface NetworkFilterRow {
  readonly id: number;
  readonly permit: string | null;
  readonly deny: string | null;
  readonly newer_block_ip: string | null;
  readonly local_network: string | null;
  readonly description: string | null;
  readonly priority: string | null;
}

/** The networks of a `deny` text that are exported as bans (contract 8.3). */
export const bannableNetworks = (deny: string | null): Network[] =>
  readNetworks(deny).networks.filter((network) => !isUnbannable(network));

/** Returns whether a caller may use a key bound to this filter. The first match decides (contract 2.5). */
export function compileFilter({
  permit,
  deny,
}: {
  permit: string | null;
  deny: string | null;
}): (address: string) => boolean {
  const denied = readNetworks(deny).networks;
  const permitted = readNetworks(permit);
  const denies = denied.filter((network) => !isCatchAll(network));
  const deniesAll = denied.some(isCatchAll);
  const permitsNothing = permitted.networks.length === 0 && permitted.unreadable.length === 0;
  return (text) => {
    const address = parseAddress(text);
    if (!address) return false;
    if (denies.some((network) => contains(network, address))) return false; // 1
    if (permitted.networks.some((network) => contains(network, address))) return true; // 2
    if (deniesAll) return false; // 3
    return permitsNothing; // 4 and 5
  };
}
