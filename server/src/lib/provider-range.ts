import { parseNetwork } from './network.ts';

/** The shortest prefix by family. */
const BOUND = { 4: 16, 6: 32 } as const;

/**
 * Why providers may not call from this host, `undefined` when they may. Whoever comes from a range of a provider calls in
 * without a login, so a range has its bound (contract 17.9).
 */
export function rangeProblem(host: string): string | undefined {
  const network = parseNetwork(host);
  if (!network || network.prefix >= BOUND[network.family]) return undefined;
  return `must be an address or a range of at least /${BOUND[4]} (IPv6 /${BOUND[6]}), not /${network.prefix}`;
}
