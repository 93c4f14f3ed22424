import { AS_SPECIFIED } from '../../../lib/bouncer-options.ts';
import type { Clock } from '../../../lib/clock.ts';
import { isUnbannable, type Network } from '../../../lib/network.ts';
import type { AllowList } from '../bans/allow-list.ts';
import type { BanStore } from '../bans/bans.store.ts';
import type { NetworkFilterStore } from '../network-filters/network-filters.store.ts';
import { createDecisionSet } from './decision-set.ts';
import { createDecisionViews } from './decision-views.ts';

interface FeedParts {
  readonly bans: BanStore;
  readonly filters: NetworkFilterStore;
  readonly allowList: AllowList;
  readonly clock: Clock;
}

/** Gathers the present decisions of both sources (contract 8.3). */
export function createDecisionFeed({ bans, filters, allowList, clock }: FeedParts) {
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

  const view = createDecisionViews({
    base: set,
    settle: async () => void (await Promise.all([bans.settle(), filters.settle()])),
    allowList,
    clock,
  });

  return {
    /** The decisions for keys with these options (contract 17.20). */
    view,

    // The decisions as specified, for callers that are no bouncers.
    settle: () => view(AS_SPECIFIED).settle(),
    covering: (network: Network) => view(AS_SPECIFIED).covering(network),
    size: set.size,
  };
}

export type DecisionFeed = ReturnType<typeof createDecisionFeed>;
