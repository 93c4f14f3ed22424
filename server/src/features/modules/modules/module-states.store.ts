import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
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
}

interface StateStoreParts {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Shared by all nodes: each follows what another one wrote within two seconds. */
export async function createModuleStateStore({ db, clock, onError }: StateStoreParts) {
  async function load(): Promise<ModuleState[]> {
    const rows = await db.selectFrom('modules').selectAll().orderBy('id').execute();
    return rows.map((row) => ({
      id: row.id,
      disabled: row.disabled !== '0',
      reason: row.reason,
      reasonText: row.reason_text,
      settings: objectOf(row.settings),
    }));
  }
  const copy = await createSqlCopy({ load, clock, onError });

  return {
    current: () => copy.current(),
    reload: () => copy.reload(),
    onChange: (listener: () => void) => copy.onChange(listener),
    close: () => copy.close(),

    async switch(id: string, to: Omit<ModuleState, 'id' | 'settings'>): Promise<void> {
      const values = {
        disabled: to.disabled ? ('1' as const) : ('0' as const),
        reason: to.reason,
        reason_text: to.reasonText,
      };
      await db
        .insertInto('modules')
        .values({ id, settings: '{}', ...values })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
        .execute();
    },

    /** What `change` throws leaves everything as it was. */
    async configure(id: string, change: (settings: Settings) => Settings): Promise<void> {
      await db.transaction().execute(async (trx) => {
        // The row is taken first: who changes other settings at the same time comes after us.
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

/** Other tools may have written anything. */
function objectOf(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
