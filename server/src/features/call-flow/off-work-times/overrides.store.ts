import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { createSqlCopy, type SqlCopy } from '../../../store/sql/sql-copy.ts';
import type { StoredOverride, StoredOverrides } from './overrides.ts';

interface StoreOptions {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const NOTHING: StoredOverrides = { revision: 0, list: [] };

/** Settings of the switch of the opening hours: one row, in memory on every node. */
export function createOverrideStore({ db, clock, onError }: StoreOptions) {
  const listeners: (() => void)[] = [];
  let copy: SqlCopy<StoredOverrides> | undefined;

  return {
    /** Must be called first. */
    async open(): Promise<void> {
      copy = await createSqlCopy({
        load: () => readOverrides(db),
        revision: () => readRevision(db),
        clock,
        onError,
      });
      copy.onChange(() => {
        for (const listener of listeners) listener();
      });
    },
    async settle(): Promise<void> {
      await copy?.fresh();
    },
    current: (): StoredOverrides => copy?.current() ?? NOTHING,

    /** Within a transaction that holds the turn; nothing changes if `next` returns `undefined`. */
    async change(
      trx: Kysely<Database>,
      at: number,
      next: (before: StoredOverrides) => readonly StoredOverride[] | undefined,
    ): Promise<void> {
      const before = await readOverrides(trx);
      const list = next(before);
      if (!list) return;
      const revision = Math.max(at, before.revision + 1);
      await trx
        .updateTable('hours_overrides')
        .set({ revision, overrides: JSON.stringify(list) })
        .execute();
    },
    /** Follows this node's own change. */
    async follow(): Promise<void> {
      await copy?.reload();
    },
    onChange: (listener: () => void) => void listeners.push(listener),
    async close(): Promise<void> {
      await copy?.close();
    },
  };
}

export type OverrideStore = ReturnType<typeof createOverrideStore>;

/** Differs after each change, so that the next question to any node finds what was switched. */
async function readRevision(db: Kysely<Database>): Promise<number> {
  const row = await db.selectFrom('hours_overrides').select('revision').executeTakeFirstOrThrow();
  return Number(row.revision);
}

async function readOverrides(db: Kysely<Database>): Promise<StoredOverrides> {
  const row = await db.selectFrom('hours_overrides').selectAll().executeTakeFirstOrThrow();
  return { revision: Number(row.revision), list: JSON.parse(row.overrides) as StoredOverride[] };
}
