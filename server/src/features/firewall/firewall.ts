import type { Kysely } from 'kysely';
import type { AppContext } from '../../app-context.ts';
import type { Caller } from '../../http/caller.ts';
import type { Route } from '../../http/route.ts';
import type { Network } from '../../lib/network.ts';
import type { Stores } from '../../open-stores.ts';
import { createFilterRevision } from '../../store/sql/filter-revision.ts';
import type { Database } from '../../store/sql/schema.ts';
import { createBanEvents } from './bans/ban-events.ts';
import { createBanFeature } from './bans/bans.feature.ts';
import { fail2banRoutes } from './fail2ban/fail2ban.routes.ts';
import { createFail2BanStore } from './fail2ban/fail2ban.store.ts';
import { firewallRoutes } from './firewall/firewall.routes.ts';
import { createFirewall } from './firewall/firewall.service.ts';
import { createBouncerFeature } from './firewall-bouncer/firewall-bouncer.feature.ts';
import { compileFilter } from './network-filters/network-filter.ts';
import { networkFilterRoutes, represent } from './network-filters/network-filters.routes.ts';
import { createNetworkFilterStore } from './network-filters/network-filters.store.ts';

/** What later areas provide; called only once they exist. */
interface FirewallNeeds {
  /** Addresses of providers, which are never banned automatically. */
  readonly providerHosts: () => Network[];
  /** Whether an account other than this one is registered from the address and can be reached. */
  readonly isAnotherWorking: (address: Network, account: string) => Promise<boolean>;
  readonly countEmployees: () => Promise<number>;
  /** Describes what refers to a filter. */
  readonly usersOfFilter: (id: number) => Promise<string[]>;
  /** Throws when the caller is a key bound to this filter. */
  readonly refuseOwnFilter: (
    caller: Caller | undefined,
    filterId: number,
    trx: Kysely<Database>,
  ) => Promise<void>;
  readonly notePoll: (caller: Caller | undefined, address: string, userAgent: string) => void;
  readonly keepMetrics: (caller: Caller | undefined, report: object) => Promise<void>;
}

/** Bans, the allow-list, and the decisions for bouncers. */
export async function createFirewallArea(
  { config, clock, steady, log, opened, errorLogger }: AppContext,
  { sql, db, ttl, events, settings }: Stores,
  needs: FirewallNeeds,
) {
  const { redisPrefix, trustedProxies } = config;
  const revision = createFilterRevision(sql);
  const filters = await createNetworkFilterStore({
    db,
    clock,
    revision,
    onError: errorLogger('network filters cannot be read'),
    onUnreadable: (entry) => log.warn(entry, 'not an address, not exported'),
  });
  opened.defer(() => filters.close());
  const fail2ban = await createFail2BanStore({
    db,
    clock,
    revision,
    onError: errorLogger('fail2ban rules cannot be read'),
  });
  opened.defer(() => fail2ban.close());
  const banning = createBanFeature({
    ttl,
    keyPrefix: config.banKeyPrefix,
    redisPrefix,
    filters,
    fail2ban,
    trustedProxies,
    providerHosts: needs.providerHosts,
    isAnotherWorking: needs.isAnotherWorking,
    log,
    onSweepError: errorLogger('the allow-list could not be applied'),
  });
  opened.defer(() => banning.close());
  const { bans, allowList, sweep, failures } = banning;
  const banEvents = createBanEvents({ bans, reasons: banning.reasons, events, clock, steady });
  opened.defer(() => banEvents.close());
  banEvents.start();
  const bouncer = createBouncerFeature({
    bans,
    filters,
    allowList,
    ttl,
    redisPrefix,
    clock: steady,
    notePoll: needs.notePoll,
    keepMetrics: needs.keepMetrics,
    onCursorError: errorLogger('a cursor could not be saved'),
  });
  opened.defer(() => bouncer.close());
  const { usersOfFilter, refuseOwnFilter, countEmployees } = needs;
  const firewall = createFirewall({
    ...banning,
    db,
    filters,
    decisions: bouncer.decisions,
    settings,
    clock,
    steady,
    usersOfFilter,
    refuseOwnFilter,
  });
  const routes: Route[] = [
    ...networkFilterRoutes({ filters }),
    ...firewallRoutes({ firewall }),
    ...fail2banRoutes({
      store: fail2ban,
      settings,
      settleBans: bans.settle,
      sweep: sweep.sweep,
      countEmployees,
    }),
    ...bouncer.routes,
  ];

  return {
    routes,
    bans,
    failures,
    fail2ban,
    filters,
    compileFilter,
    filterExists: async (id: number) => (await filters.find(id)) !== undefined,
    /** The name by which an operator recognises a filter; `undefined` when it does not exist. */
    describeFilter(id: string): string | undefined {
      const filter = filters.current().find((row) => String(row.id) === id);
      return filter && represent(filter);
    },
    forgetKey: bouncer.forgetKey,
    holdings: bouncer.holdings,
    countDecisions: bouncer.decisions.size,
  };
}

export type FirewallArea = Awaited<ReturnType<typeof createFirewallArea>>;
