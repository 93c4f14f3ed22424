import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { ServiceRules } from '../../../lib/firewall-services.ts';
import { contains, type Network } from '../../../lib/network.ts';
import { isAllowEntry, readNetworks } from '../../../lib/network-list.ts';
import type { FilterRevision } from '../../../store/sql/filter-revision.ts';
import { type Database, flagText, isSet } from '../../../store/sql/schema.ts';
import { createSqlCopy } from '../../../store/sql/sql-copy.ts';
import { bannableNetworks, type NetworkFilterRow } from './network-filter.ts';

export interface NetworkFilter extends NetworkFilterRow {
  readonly rules: ServiceRules;
}

export type NetworkFilterFields = Omit<NetworkFilter, 'id'>;

/** Runs at the start of a write; when it throws, nothing is written. */
type TransactionCheck = (trx: Kysely<Database>) => Promise<void>;

interface StoreOptions {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly revision: FilterRevision;
  readonly onError: (error: unknown) => void;
  /** Called once for each `deny` entry that is no address (contract 8.3). */
  readonly onUnreadable?: (entry: UnreadableEntry) => void;
}

interface UnreadableEntry {
  readonly source: string;
  readonly text: string;
}

/** The table `m_NetworkFilters`. Other tools edit it while we run; it is read from a copy that is kept up to date. */
export async function createNetworkFilterStore({ db, clock, revision, onError, onUnreadable }: StoreOptions) {
  const copy = await createSqlCopy({ load, clock, revision, onError });
  let reported = new Set<string>();
  reportUnreadable();
  copy.onChange(reportUnreadable);

  function reportUnreadable(): void {
    const entries = unreadableEntries();
    for (const entry of entries) if (!reported.has(JSON.stringify(entry))) onUnreadable?.(entry);
    reported = new Set(entries.map((entry) => JSON.stringify(entry)));
  }

  /** `deny` entries that are no addresses, for the log and the firewall page. */
  function unreadableEntries(): UnreadableEntry[] {
    return copy
      .current()
      .flatMap((row) =>
        readNetworks(row.deny).unreadable.map((text) => ({ source: `m_NetworkFilters:${row.id}`, text })),
      );
  }

  async function load(): Promise<NetworkFilter[]> {
    const rows = await db.selectFrom('m_NetworkFilters').selectAll().orderBy('id').execute();
    const rules = await db.selectFrom('firewall_rules').selectAll().execute();
    return rows.map((row) => ({
      ...row,
      rules: Object.fromEntries(
        rules.filter((rule) => rule.filter_id === row.id).map((rule) => [rule.category, isSet(rule.action)]),
      ),
    }));
  }

  async function writeRules(trx: Kysely<Database>, id: number, rules: ServiceRules): Promise<void> {
    await trx.deleteFrom('firewall_rules').where('filter_id', '=', id).execute();
    const values = Object.entries(rules).map(([category, allowed]) => ({
      filter_id: id,
      category,
      action: flagText(allowed),
    }));
    if (values.length > 0) await trx.insertInto('firewall_rules').values(values).execute();
  }

  return {
    /** Resolves to all rows committed before this call by any writer (contract 17.17); rejects when unreadable. */
    settle: () => copy.fresh(),
    current: () => copy.current(),
    onChange: copy.onChange,

    async find(id: number): Promise<NetworkFilter | undefined> {
      return (await copy.reload()).find((row) => row.id === id);
    },

    /** Ids as text, the form in which other tables refer to filters. */
    async ids(): Promise<ReadonlySet<string>> {
      return new Set((await copy.reload()).map(({ id }) => String(id)));
    },

    async insert({ rules, ...row }: NetworkFilterFields): Promise<number> {
      const id = await db.transaction().execute(async (trx) => {
        const inserted = await trx
          .insertInto('m_NetworkFilters')
          .values(row)
          .returning('id')
          .executeTakeFirstOrThrow();
        await writeRules(trx, inserted.id, rules);
        return inserted.id;
      });
      await copy.reload();
      return id;
    },

    async update(
      id: number,
      { rules, ...row }: NetworkFilterFields,
      check: TransactionCheck = async () => {},
    ): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await check(trx);
        await trx.updateTable('m_NetworkFilters').set(row).where('id', '=', id).execute();
        await writeRules(trx, id, rules);
      });
      await copy.reload();
    },

    async delete(id: number, check: TransactionCheck = async () => {}): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await check(trx);
        await trx.deleteFrom('m_NetworkFilters').where('id', '=', id).execute();
        await writeRules(trx, id, {});
      });
      await copy.reload();
    },

    /** The lists of a filter, to apply them to an account; `undefined` when there is no such filter. */
    lists(id: number): { permit: string; deny: string } | undefined {
      const row = copy.current().find((one) => one.id === id);
      return row && { permit: row.permit ?? '', deny: row.deny ?? '' };
    },

    /** Every `deny` entry that is exported, each value once (contract 8.3). */
    denied(): Network[] {
      const networks = copy.current().flatMap((row) => bannableNetworks(row.deny));
      return [...new Map(networks.map((network) => [network.text, network])).values()];
    },

    /** Ids of the filters with an exported `deny` entry around the network, so never a catch-all (contract 17.15). */
    denying: (network: Network): string[] =>
      copy
        .current()
        .filter((row) => bannableNetworks(row.deny).some((entry) => contains(entry, network)))
        .map(({ id }) => String(id)),

    /** The `permit` networks of the filters that are never blocked (contract 8.5). */
    allowed(): { network: Network; filterId: number }[] {
      return copy
        .current()
        .filter((row) => isSet(row.newer_block_ip))
        .flatMap((row) => readNetworks(row.permit).networks.map((network) => ({ network, filterId: row.id })))
        .filter(({ network }) => isAllowEntry(network));
    },

    unreadableEntries,

    close: () => copy.close(),
  };
}

export type NetworkFilterStore = Awaited<ReturnType<typeof createNetworkFilterStore>>;
