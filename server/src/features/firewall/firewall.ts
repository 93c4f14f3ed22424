import type { Ground } from '../../app-context.ts';
import type { Network } from '../../lib/network.ts';
import type { Stores } from '../../open-stores.ts';
import { createFilterRevision } from '../../store/sql/filter-revision.ts';
import type { ApiKeys } from '../access/api-keys/api-keys.service.ts';
import { createAllowList } from './bans/allow-list.ts';
import { createAllowListSweep } from './bans/allow-list-sweep.ts';
import { createBanPolicy } from './bans/ban-policy.ts';
import { createBanStore } from './bans/bans.store.ts';
import { createFailureCounter } from './bans/failures.ts';
import { createFail2BanStore } from './fail2ban/fail2ban.store.ts';
import { createFirewall } from './firewall/firewall.service.ts';
import { createCursorStore } from './firewall-bouncer/cursors.store.ts';
import { createDecisionFeed } from './firewall-bouncer/decision-feed.ts';
import { createFirewallBouncer } from './firewall-bouncer/firewall-bouncer.service.ts';
import { represent } from './network-filters/network-filters.routes.ts';
import { createNetworkFilterStore } from './network-filters/network-filters.store.ts';

interface FirewallNeighbours {
  /** Addresses of providers, which are never banned. */
  readonly providerHosts: () => Network[];
  /** Whether another account than this one is registered from the address and can be reached. */
  readonly isAnotherWorking: (address: Network, account: string) => Promise<boolean>;
  /** What refers to a filter, in words. */
  readonly usersOfFilter: (id: number) => Promise<string[]>;
  /** Throws when the caller is a key bound to this filter. */
  readonly refuseOwnFilter: ApiKeys['refuseOwnFilter'];
}

/** What is banned, what is allowed, and what bouncers are told of it. */
export async function composeFirewall(
  { config, clock, steady, log, opened, complain }: Ground,
  { db, ttl, settings }: Stores,
  { providerHosts, isAnotherWorking, usersOfFilter, refuseOwnFilter }: FirewallNeighbours,
) {
  const { redisPrefix, trustedProxies } = config;
  const revision = createFilterRevision({ db });
  const filters = await createNetworkFilterStore({
    db,
    clock,
    revision,
    onError: complain('network filters cannot be read'),
    onUnreadable: (entry) => log.warn(entry, 'not an address, not exported'),
  });
  opened.defer(() => filters.close());
  const fail2ban = await createFail2BanStore({
    db,
    clock,
    revision,
    onError: complain('fail2ban rules cannot be read'),
  });
  opened.defer(() => fail2ban.close());
  const bans = createBanStore({
    ttl,
    keyPrefix: config.banKeyPrefix,
    onUnreadable: (key) => log.warn({ key }, 'not an address, not exported'),
  });
  const allowList = createAllowList({ filters, fail2ban });
  const feed = createDecisionFeed({ bans, filters, allowList, clock: steady });
  const allowed = () => allowList.entries().map(({ network }) => network);
  const policy = createBanPolicy({ allowed, trustedProxies, providerHosts });
  const sweep = createAllowListSweep({
    allowList,
    bans,
    onError: complain('the allow-list could not be applied'),
  });
  opened.defer(() => sweep.close());
  const failures = createFailureCounter({
    ttl,
    redisPrefix,
    rules: fail2ban,
    allowList,
    policy,
    bans,
    isAnotherWorking,
    onBan: (ban) => log.warn(ban, 'address banned'),
    onExempt: (attempt, reason) => log.warn({ ...attempt, reason }, 'address not banned'),
  });
  const cursors = createCursorStore({ ttl, redisPrefix });
  const bouncer = createFirewallBouncer({ feed, cursors, onError: complain('a cursor could not be saved') });
  opened.defer(() => bouncer.settled());
  const firewall = createFirewall({
    db,
    bans,
    filters,
    allowList,
    sweep,
    policy,
    failures,
    decisions: feed,
    settings,
    clock,
    steady,
    usersOfFilter,
    refuseOwnFilter,
  });

  return {
    filters,
    fail2ban,
    bans,
    feed,
    allowList,
    sweep,
    failures,
    cursors,
    bouncer,
    firewall,
    filterExists: async (id: number) => (await filters.find(id)) !== undefined,
    /** How an operator recognises a filter; `undefined` when it does not exist. */
    describeFilter(id: string): string | undefined {
      const filter = filters.current().find((row) => String(row.id) === id);
      return filter && represent(filter);
    },
  };
}

export type FirewallFloor = Awaited<ReturnType<typeof composeFirewall>>;
