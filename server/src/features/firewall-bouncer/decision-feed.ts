import type { Clock } from '../../lib/clock.ts';
import { isUnbannable } from '../../lib/network.ts';
import type { BanStore } from '../firewall/bans.store.ts';
import type { NetworkFilterStore } from '../network-filters/network-filters.store.ts';
import { createPacking } from './cursor.ts';
import { createDecisionSet } from './decision-set.ts';
import { createDecisionView } from './decision-view.ts';

interface FeedParts {
  readonly bans: BanStore;
  readonly filters: NetworkFilterStore;
  readonly clock: Clock;
}

/** Gathers the decisions of both sources (contract 8.3) and answers what they are now. */
export function createDecisionFeed({ bans, filters, clock }: FeedParts) {
  const set = createDecisionSet();
  let manual = new Set<string>();

  bans.listen((category, network, expiresAt) => {
    if (isUnbannable(network)) return;
    if (expiresAt === undefined) set.remove(network.text, `pbx/${category}`);
    else set.put(network.text, `pbx/${category}`, expiresAt);
  });
  takeManual();
  filters.onChange(takeManual);

  function takeManual(): void {
    const next = new Set(filters.denied().map((network) => network.text));
    for (const value of manual) if (!next.has(value)) set.remove(value, 'pbx/manual');
    for (const value of next) set.put(value, 'pbx/manual', Infinity);
    manual = next;
  }

  return createDecisionView({
    set,
    format: 'seconds',
    settle: async () => void (await Promise.all([bans.settle(), filters.settle()])),
    refresh: set.expire,
    pack: createPacking(),
    clock,
  });
}

export type DecisionFeed = ReturnType<typeof createDecisionFeed>;
