import type { Caller } from '../../../http/caller.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { TtlStore } from '../../../store/ttl/ttl-store.ts';
import type { AllowList } from '../bans/allow-list.ts';
import type { BanStore } from '../bans/bans.store.ts';
import type { NetworkFilterStore } from '../network-filters/network-filters.store.ts';
import { createCursorStore } from './cursors.store.ts';
import { createDecisionFeed } from './decision-feed.ts';
import { bouncerRoutes } from './firewall-bouncer.routes.ts';
import { createFirewallBouncer } from './firewall-bouncer.service.ts';
import { createHoldings } from './holdings.ts';

interface BouncerFeatureParts {
  readonly bans: BanStore;
  readonly filters: NetworkFilterStore;
  readonly allowList: AllowList;
  readonly ttl: TtlStore;
  readonly redisPrefix: string;
  /** The clock that measures how long bans last (ADR 28). */
  readonly clock: Clock;
  readonly notePoll: (caller: Caller | undefined, address: string, userAgent: string) => void;
  readonly keepMetrics: (caller: Caller | undefined, report: object) => Promise<void>;
  readonly onCursorError: (error: unknown) => void;
}

/** The decisions for bouncers, and the last position of each bouncer. */
export function createBouncerFeature(parts: BouncerFeatureParts) {
  const { bans, filters, allowList, ttl, redisPrefix, clock, notePoll, keepMetrics } = parts;
  const feed = createDecisionFeed({ bans, filters, allowList, clock });
  const cursors = createCursorStore({ ttl, redisPrefix });
  const bouncer = createFirewallBouncer({ feed, cursors, onError: parts.onCursorError });
  return {
    routes: bouncerRoutes({ bouncer, feed, allowList, clock, notePoll, keepMetrics }),
    decisions: feed,
    holdings: createHoldings({ feed, cursors }),
    /** Deletes the cursor of a deleted key. */
    forgetKey: cursors.remove,
    close: bouncer.settled,
  };
}
