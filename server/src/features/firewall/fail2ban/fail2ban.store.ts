import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { FilterRevision } from '../../../store/sql/filter-revision.ts';
import type { Database } from '../../../store/sql/schema.ts';
import { createSettings } from '../../../store/sql/settings.ts';
import { createSqlCopy } from '../../../store/sql/sql-copy.ts';

interface Fail2BanRules {
  readonly maxretry: number;
  readonly bantime: number;
  readonly findtime: number;
  readonly whitelist: string;
}

const DEFAULT_RULES: Fail2BanRules = { maxretry: 20, bantime: 600, findtime: 600, whitelist: '' };
export const BOUNDS = {
  maxretry: { min: 1, max: 100 },
  bantime: { min: 60, max: 31_536_000 },
  findtime: { min: 60, max: 86_400 },
} as const;

interface StoreOptions {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly revision: FilterRevision;
  readonly onError: (error: unknown) => void;
}

/** Row 1 of `m_Fail2BanRules`, which other tools edit while we run. */
export async function createFail2BanStore({ db, clock, revision, onError }: StoreOptions) {
  const copy = await createSqlCopy({ load, clock, revision, onError });

  async function load(): Promise<Fail2BanRules> {
    const row = await db.selectFrom('m_Fail2BanRules').selectAll().where('id', '=', 1).executeTakeFirst();
    return {
      maxretry: usable(row?.maxretry, 'maxretry'),
      bantime: usable(row?.bantime, 'bantime'),
      findtime: usable(row?.findtime, 'findtime'),
      whitelist: row?.whitelist ?? '',
    };
  }

  return {
    /** Resolves to the rules committed before this call, whoever wrote them (contract 17.17). */
    settle: () => copy.fresh(),
    read: () => copy.reload(),
    current: () => copy.current(),
    onChange: copy.onChange,

    /** Writes both or neither: the request limit is stored in the settings, which other tools do not use. */
    async write(rules: Fail2BanRules, requestLimit?: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto('m_Fail2BanRules')
          .values({ id: 1, ...rules })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(rules))
          .execute();
        if (requestLimit !== undefined)
          await createSettings({ db: trx }).set('PBXFirewallMaxReqSec', requestLimit);
      });
      await copy.reload();
    },

    close: () => copy.close(),
  };
}

/** Another tool may have stored anything; a value out of bounds counts as the default. */
function usable(value: unknown, name: keyof typeof BOUNDS): number {
  const { min, max } = BOUNDS[name];
  const number = Number(value);
  return Number.isInteger(number) && number >= min && number <= max ? number : DEFAULT_RULES[name];
}

export type Fail2BanStore = Awaited<ReturnType<typeof createFail2BanStore>>;
