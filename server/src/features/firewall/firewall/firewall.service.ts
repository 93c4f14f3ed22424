import type { Kysely } from 'kysely';
import type { Caller } from '../../../http/caller.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Conflict, NotFound } from '../../../lib/errors.ts';
import { contains, type Network, parseNetwork, uniqueSorted } from '../../../lib/network.ts';
import { isAllowEntry, readNetworks } from '../../../lib/network-list.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { Settings } from '../../../store/sql/settings.ts';
import type { AllowList } from '../bans/allow-list.ts';
import type { AllowListSweep } from '../bans/allow-list-sweep.ts';
import type { BanPolicy } from '../bans/ban-policy.ts';
import type { BanReason, BanReasonStore } from '../bans/ban-reasons.store.ts';
import { type Ban, type BanStore, CATEGORIES, type Category } from '../bans/bans.store.ts';
import type { FailureCounter } from '../bans/failures.ts';
import type { Decision } from '../firewall-bouncer/decision.ts';
import type {
  NetworkFilter,
  NetworkFilterFields,
  NetworkFilterStore,
} from '../network-filters/network-filters.store.ts';

interface FirewallParts {
  readonly db: Kysely<Database>;
  readonly bans: BanStore;
  readonly reasons: BanReasonStore;
  readonly filters: NetworkFilterStore;
  readonly allowList: AllowList;
  readonly sweep: AllowListSweep;
  readonly policy: BanPolicy;
  readonly failures: Pick<FailureCounter, 'forget'>;
  readonly decisions: { settle(): Promise<void>; covering(network: Network): Decision[] };
  readonly settings: Settings;
  readonly clock: Clock;
  /** The clock of `expiresAt` in the ban store. */
  readonly steady: Clock;
  /** Describes what refers to a filter; a filter in use is not deleted. */
  readonly usersOfFilter: (id: number) => Promise<string[]>;
  /** Throws when the caller is a key bound to this filter (contract 17.4). */
  readonly refuseOwnFilter: (
    caller: Caller | undefined,
    filterId: number,
    trx: Kysely<Database>,
  ) => Promise<void>;
}

/** Writes filters and bans, and explains why an address is blocked (contract 7). */
export function createFirewall(parts: FirewallParts) {
  const { db, bans, reasons, filters, allowList, sweep, policy, decisions, settings, clock, steady } = parts;
  const { refuseOwnFilter } = parts;

  /** Checks `deny` against the allow-list after the change, stores the filter, and lifts bans of what it allows. */
  async function store(
    fields: NetworkFilterFields,
    replaced: number | undefined,
    save: () => Promise<number>,
  ): Promise<{ id: number; warnings: string[] }> {
    // Both are needed after the row is stored; when either cannot be read, nothing is stored at all.
    await Promise.all([allowList.settle(), bans.settle()]);
    const others = allowList.entries().filter((entry) => entry.networkFilterId !== String(replaced));
    const own = fields.newer_block_ip === '1' ? readNetworks(fields.permit).networks : [];
    const allowed = [...others.map(({ network }) => network), ...own.filter(isAllowEntry)];
    const warnings = readNetworks(fields.deny).networks.flatMap((network) =>
      policy.checkDeny(network, allowed),
    );
    const id = await save();
    await sweep.sweep();
    return { id, warnings };
  }

  return {
    async list(): Promise<NetworkFilter[]> {
      return filters.settle();
    },

    async find(id: string): Promise<NetworkFilter> {
      const filter = await filters.find(Number(id));
      if (!filter) throw new NotFound(`firewall rule ${id} not found`);
      return filter;
    },

    create: (fields: NetworkFilterFields) => store(fields, undefined, () => filters.insert(fields)),

    async update(id: number, fields: NetworkFilterFields, caller: Caller | undefined) {
      await refuseOwnFilter(caller, id, db);
      return store(fields, id, async () => {
        // Checked again: the key may have been bound to the filter meanwhile.
        await filters.update(id, fields, (trx) => refuseOwnFilter(caller, id, trx));
        return id;
      });
    },

    async delete(id: number, caller: Caller | undefined): Promise<void> {
      await refuseOwnFilter(caller, id, db);
      const users = await parts.usersOfFilter(id);
      if (users.length > 0) throw new Conflict(`the filter is in use by ${users.join(', ')}`);
      await filters.delete(id, (trx) => refuseOwnFilter(caller, id, trx));
    },

    async switches(): Promise<{ firewallEnabled: boolean; fail2banEnabled: boolean }> {
      const [firewall, fail2ban] = await Promise.all([
        settings.get('firewallEnabled'),
        settings.get('fail2banEnabled'),
      ]);
      return { firewallEnabled: firewall !== '0', fail2banEnabled: fail2ban !== '0' };
    },

    switchFirewall: (on: boolean): Promise<void> => settings.set('firewallEnabled', on ? '1' : '0'),

    /** Entries of either source that are no addresses, so that an operator sees them (contract 8.3). */
    async invalidEntries(): Promise<{ source: string; text: string }[]> {
      await Promise.all([filters.settle(), bans.settle()]);
      return [
        ...filters.unreadableEntries(),
        ...bans.unreadableKeys().map((key) => ({ source: key, text: bans.addressText(key) })),
      ];
    },

    /** Bans with their reasons and with ends by the machine's clock, for people to read. */
    async bannedIps(): Promise<(Ban & { readonly reason: BanReason | undefined })[]> {
      const at = steady.now();
      await Promise.all([bans.settle(), reasons.settle()]);
      const difference = clock.now() - steady.now();
      return bans
        .list()
        .filter((ban) => ban.expiresAt >= at)
        .map((ban) => ({
          ...ban,
          expiresAt: ban.expiresAt + difference,
          reason: reasons.of(ban.category, ban.network),
        }));
    },

    async ban(
      network: Network,
      category: Category,
      seconds: number,
      confirmed: boolean,
      { note, by }: Pick<BanReason, 'note' | 'by'>,
    ): Promise<{ expiresAt: number; warnings: string[] }> {
      // A hung store could apply a write later that was answered 503, so the store has to respond to a read first.
      await Promise.all([allowList.settle(), bans.settle()]);
      const warnings = policy.checkOrder(network, confirmed);
      await reasons.write(category, network, seconds, { failures: 0, accounts: [], note, by });
      await bans.write(category, network, seconds);
      return { expiresAt: Math.ceil(clock.now() / 1000) + seconds, warnings };
    },

    async unban(
      network: Network,
      category?: Category,
    ): Promise<{ lifted: Category[]; stillDenied: string[]; warnings: string[] }> {
      const categories = category ? [category] : CATEGORIES;
      // Before the lift: the next failure after it must not add to the old count (contract 17.7).
      await parts.failures.forget(network, categories);
      const lifted = await bans.lift(network, categories);
      await reasons.forget(network, categories);
      await decisions.settle();
      // Only bans of exactly this value are lifted; a range around it still blocks it (contract 17.15).
      const around = uniqueSorted(decisions.covering(network).map(({ value }) => value)).filter(
        (value) => value !== network.text,
      );
      return {
        lifted,
        stillDenied: filters.denying(network),
        warnings:
          around.length === 0
            ? []
            : [`ip: ${network.text} stays blocked, it is covered by ${around.join(', ')}`],
      };
    },

    /** Contract 7.6, 17.15. */
    async explain(network: Network) {
      await Promise.all([decisions.settle(), allowList.settle()]);
      const rows = filters.current();
      const covering = decisions.covering(network);
      const allowed = allowList.covering(network);
      return {
        verdict:
          allowed.length > 0
            ? ('allowed' as const)
            : covering.length > 0
              ? ('blocked' as const)
              : ('clear' as const),
        // Most clients never fetch the allow-list: they block an allowed address when a ban contains it.
        enforced: covering.length > 0 ? ('blocked' as const) : ('clear' as const),
        bans: covering.map((decision) => ({ decision, source: sourceOf(decision, rows) })),
        whitelist: allowed,
        filters: rows.flatMap((row) => [
          ...matches(row, 'permit', network),
          ...matches(row, 'deny', network),
        ]),
        at: steady.now(),
      };
    },
  };

  function sourceOf(decision: Decision, rows: readonly NetworkFilter[]) {
    if (decision.scenario !== 'pbx/manual') {
      const category = decision.scenario.slice('pbx/'.length) as Category;
      return { redisKey: bans.keyHolding(category, parseNetwork(decision.value) as Network) };
    }
    const row = rows.find(({ deny }) =>
      readNetworks(deny).networks.some(({ text }) => text === decision.value),
    );
    return { networkFilterId: String(row?.id ?? '') };
  }
}

export type Firewall = ReturnType<typeof createFirewall>;

function matches(row: NetworkFilter, list: 'permit' | 'deny', network: Network) {
  return readNetworks(row[list])
    .networks.filter((entry) => contains(entry, network))
    .map((entry) => ({ networkFilterId: String(row.id), list, entry: entry.text }));
}
