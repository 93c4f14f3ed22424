import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { createRowReader, toColumns } from '../../../store/sql/field-columns.ts';
import type { Database, SipProviderTable } from '../../../store/sql/schema.ts';
import { createSqlCopy } from '../../../store/sql/sql-copy.ts';
import type { Directory } from '../directory/directory.ts';
import { hostsOf, inListOrder, isInService, type SipProvider } from './sip-provider.ts';
import { providerFields, type SipProviderFields } from './sip-providers.schema.ts';

interface StoreOptions {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly numbers: Pick<Directory, 'enter'>;
  /** Called when the table cannot be read in the background. */
  readonly onError: (error: unknown) => void;
}

export type SipProviderChange = Partial<SipProviderFields & Pick<SipProvider, 'switchedAt'>>;

/** Records are read from the table; engine, bans and statuses use a copy of it. */
export async function createSipProviderStore({ db, clock, numbers, onError }: StoreOptions) {
  let known: { version: number; providers: SipProvider[] } | undefined;
  const copy = await createSqlCopy({ load, clock, onError, revision: readVersion });

  async function readVersion(): Promise<number> {
    const row = await db.selectFrom('sip_provider_changes').select('version').executeTakeFirstOrThrow();
    return row.version;
  }

  async function load() {
    // Read the version first: what is written meanwhile is read again next time, never missed.
    const version = await readVersion();
    if (known?.version !== version) known = { version, providers: await list() };
    return known;
  }

  async function list(): Promise<SipProvider[]> {
    const rows = await db.selectFrom('sip_providers').selectAll().execute();
    return rows.map(fromRow).sort(inListOrder);
  }

  async function write<T>(work: (trx: Kysely<Database>) => Promise<T>): Promise<T> {
    const result = await db.transaction().execute(async (trx) => {
      const done = await work(trx);
      await trx
        .updateTable('sip_provider_changes')
        .set((eb) => ({ version: eb('version', '+', 1) }))
        .execute();
      return done;
    });
    // The write is done. If the copy cannot follow now, `onError` is called and it follows by itself.
    await copy.reload().catch(() => {});
    return result;
  }

  return {
    list,

    /** The copy with all earlier writes of any node, for frequent reads; rejects if these cannot be read. */
    recent: async (): Promise<SipProvider[]> => (await copy.fresh()).providers,

    async find(id: string): Promise<SipProvider | undefined> {
      const row = await db.selectFrom('sip_providers').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    /** Rejects with `DuplicateKey` when the id is taken. */
    async insert(provider: SipProvider): Promise<void> {
      const { id, createdAt, ...fields } = provider;
      const row = { ...toRow(fields), id, created_at: createdAt } as SipProviderTable;
      await write((trx) => trx.insertInto('sip_providers').values(row).execute());
    },

    /** Writes only what is given; `undefined` when there is no such provider any more. */
    async update(id: string, change: SipProviderChange): Promise<SipProvider | undefined> {
      const row = await write((trx) =>
        trx
          .updateTable('sip_providers')
          // SQL needs a column even if nothing changes.
          .set({ id, ...toRow(change) })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst(),
      );
      return row && fromRow(row);
    },

    /** Rejects with `Conflict` while a route needs it (contract 20.7). */
    async delete({ id, description }: Pick<SipProvider, 'id' | 'description'>): Promise<void> {
      await write(async (trx) => {
        const desk = await numbers.enter(trx);
        await desk.leave('provider', { name: id, shown: `provider "${description}"` });
        await trx.deleteFrom('sip_providers').where('id', '=', id).execute();
        await trx.deleteFrom('provider_history').where('provider_id', '=', id).execute();
      });
    },

    /** Descriptions of the providers bound to a network filter. */
    async boundTo(networkFilterId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('sip_providers')
        .select('description')
        .where('networkfilterid', '=', networkFilterId)
        .orderBy('id')
        .execute();
      return rows.map((row) => row.description);
    },

    /** The whole desired state: every provider in service, with its secret. */
    inService: (): SipProvider[] => copy.current().providers.filter(isInService),

    /** Names and addresses that must never be banned, those of disabled providers too. */
    providerHosts: (): string[] => [...new Set(copy.current().providers.flatMap(hostsOf))],

    /** Calls the listener when a provider was added, changed or removed, by whomever. */
    onChange(listener: () => void): void {
      copy.onChange(() => listener());
    },

    close: () => copy.close(),
  };
}

export type SipProviderStore = Awaited<ReturnType<typeof createSipProviderStore>>;

const readRow = createRowReader(providerFields);

function fromRow(row: Selectable<SipProviderTable>): SipProvider {
  return {
    ...readRow(row),
    id: row.id,
    additionalHosts: JSON.parse(row.additional_hosts),
    createdAt: row.created_at,
    switchedAt: row.switched_at,
  } as SipProvider;
}

const toRow = ({ additionalHosts, switchedAt, ...fields }: SipProviderChange): Partial<SipProviderTable> => ({
  ...toColumns(fields),
  ...(additionalHosts && { additional_hosts: JSON.stringify(additionalHosts) }),
  ...(switchedAt !== undefined && { switched_at: switchedAt }),
});
