import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { DataState } from '../../../module-host/data/data-places.ts';
import type { Accepted, Rights } from '../../../module-host/description/accepted-rights.ts';
import type { Endpoint } from '../../../module-host/description/open-routes.ts';
import type { ModuleTable } from '../../../store/sql/module-tables.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { createSqlCopy } from '../../../store/sql/sql-copy.ts';

type Settings = Readonly<Record<string, unknown>>;

/** What the operator decided about a module. One without a row was never enabled. */
export interface ModuleState {
  readonly id: string;
  readonly disabled: boolean;
  readonly reason: string;
  readonly reasonText: string;
  readonly settings: Settings;
  readonly data: DataState;
  /** What was accepted on enabling; `undefined` if that was not stored yet then. */
  readonly accepted: Accepted | undefined;
  /** Its folder was removed; data and settings are kept in case it comes back. */
  readonly removed: boolean;
}

export const neverEnabled = (id: string): ModuleState => ({
  id,
  disabled: true,
  reason: '',
  reasonText: '',
  settings: {},
  data: { place: id, version: '', since: '' },
  accepted: undefined,
  removed: false,
});

/** Stored in the reason column for `removed`; never shown as a reason. */
const REMOVED = 'Removed';

interface StateStoreParts {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Shared by all nodes: each follows the others' writes within two seconds. */
export async function createModuleStateStore({ db, clock, onError }: StateStoreParts) {
  async function load(): Promise<ModuleState[]> {
    const rows = await db.selectFrom('modules').selectAll().orderBy('id').execute();
    return rows.map((row) => ({
      id: row.id,
      disabled: row.disabled !== '0',
      reason: row.reason === REMOVED ? '' : row.reason,
      removed: row.reason === REMOVED,
      reasonText: row.reason_text,
      settings: objectOf(row.settings),
      data: { place: row.data_place || row.id, version: row.data_version, since: row.data_since },
      accepted: acceptedIn(row.accepted),
    }));
  }
  async function put(
    id: string,
    values: Pick<ModuleTable, 'disabled' | 'reason' | 'reason_text'> & { accepted?: string },
  ): Promise<void> {
    await db
      .insertInto('modules')
      .values({ id, settings: '{}', ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute();
  }
  const copy = await createSqlCopy({ load, clock, onError });

  return {
    current: () => copy.current(),
    reload: () => copy.reload(),
    onChange: (listener: () => void) => copy.onChange(listener),
    close: () => copy.close(),

    /** Without `endpoints` in `accepted`, they are noted once the module declares them. */
    switchOn: (id: string, accepted: Rights & Partial<Accepted>): Promise<void> =>
      put(id, { disabled: '0', reason: '', reason_text: '', accepted: JSON.stringify(accepted) }),

    /** Restores what was accepted before a refused enabling. The module may have been disabled meanwhile. */
    async takeBack(id: string, accepted: Accepted | undefined): Promise<void> {
      await db
        .updateTable('modules')
        .set({ accepted: accepted ? JSON.stringify(accepted) : '' })
        .where('id', '=', id)
        .where('disabled', '=', '0')
        .execute();
    },

    /** Unless endpoints are noted already. */
    async accept(id: string, accepted: Accepted): Promise<void> {
      await db
        .updateTable('modules')
        .set({ accepted: JSON.stringify(accepted) })
        .where('id', '=', id)
        .where('accepted', 'not like', '%"endpoints":%')
        .execute();
    },

    switchOff: (
      id: string,
      { reason, reasonText }: Pick<ModuleState, 'reason' | 'reasonText'>,
    ): Promise<void> => put(id, { disabled: '1', reason, reason_text: reasonText }),

    /** Disables the module, which is no longer listed without its folder. */
    leave: (id: string): Promise<void> => put(id, { disabled: '1', reason: REMOVED, reason_text: '' }),

    /** If `change` throws, nothing changes. */
    async configure(id: string, change: (settings: Settings) => Settings): Promise<void> {
      await db.transaction().execute(async (trx) => {
        // Lock the row first: concurrent changes of other settings wait for this one.
        const { settings } = await trx
          .insertInto('modules')
          .values({ id, disabled: '1', reason: '', reason_text: '', settings: '{}' })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet(({ ref }) => ({ settings: ref('modules.settings') })),
          )
          .returning('settings')
          .executeTakeFirstOrThrow();
        const changed = JSON.stringify(change(objectOf(settings)));
        await trx.updateTable('modules').set({ settings: changed }).where('id', '=', id).execute();
      });
    },
  };
}

export type ModuleStateStore = Awaited<ReturnType<typeof createModuleStateStore>>;

function acceptedIn(json: string): Accepted | undefined {
  if (json === '') return undefined;
  const { reads, writes, acts, endpoints } = objectOf(json);
  return {
    ...{ reads: namesOf(reads), writes: namesOf(writes), acts: namesOf(acts) },
    endpoints: Array.isArray(endpoints) ? endpoints.filter(isEndpoint) : undefined,
  };
}

const isEndpoint = (value: Endpoint | null): value is Endpoint => Array.isArray(value?.channels);

const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Other tools may have written anything. */
function objectOf(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
