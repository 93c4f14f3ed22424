import { isCatchAll, type Network, parseNetwork, splitList } from './network.ts';

interface NetworkList {
  readonly networks: Network[];
  /** Parts that are neither an address nor a CIDR. */
  readonly unreadable: string[];
}

/** Parses a list of networks as written by operators and other tools. */
export function readNetworks(text: string | null | undefined): NetworkList {
  const networks: Network[] = [];
  const unreadable: string[] = [];
  for (const part of splitList(text)) {
    const network = parseNetwork(part);
    if (network) networks.push(network);
    else unreadable.push(part);
  }
  return { networks, unreadable };
}

/** `0.0.0.0` and any /0 allow nobody in particular: they are never in an allow-list (contract 8.5). */
export const isAllowEntry = (network: Network): boolean => !isCatchAll(network) && network.text !== '0.0.0.0';
