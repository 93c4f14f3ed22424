import { parseNetwork } from './network.ts';

/** The shortest prefix, by family. */
const BOUND = { 4: 16, 6: 32 } as const;

/**
 * Why a provider may not call from this host; `undefined` if it may. Calls from a provider's range need no login, so
 * the size of the range is limited (contract 17.9).
 */
export function rangeProblem(host: string): string | undefined {
  const network = parseNetwork(host);
  if (!network || network.prefix >= BOUND[network.family]) return undefined;
  return `must be an address or a range of at least /${BOUND[4]} (IPv6 /${BOUND[6]}), not /${network.prefix}`;
}
