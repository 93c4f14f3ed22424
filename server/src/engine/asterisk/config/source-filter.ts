import { isCatchAll } from '../../../lib/network.ts';
import { readNetworks } from '../../../lib/network-list.ts';
import type { SourceFilter } from '../../desired-state.ts';
import type { Setting } from './encode.ts';

const NOBODY: readonly Setting[] = [
  ['deny', '0.0.0.0/0'],
  ['deny', '::/0'],
];

/**
 * A network filter as rules of an account. For us the first match decides (contract 2.5), for the engine the last, so
 * the order is reversed.
 */
export function filterRules(filter: SourceFilter | undefined): readonly Setting[] {
  if (!filter) return [];
  const denied = readNetworks(filter.deny).networks;
  const permitted = readNetworks(filter.permit);
  const permitsNothing = permitted.networks.length === 0 && permitted.unreadable.length === 0;
  const isClosed = denied.some(isCatchAll) || !permitsNothing;
  return [
    ...(isClosed ? NOBODY : []),
    ...permitted.networks.map(({ text }): Setting => ['permit', text]),
    ...denied.filter((network) => !isCatchAll(network)).map(({ text }): Setting => ['deny', text]),
  ];
}
