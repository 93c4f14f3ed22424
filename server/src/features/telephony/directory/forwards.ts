import type { Kysely } from 'kysely';
import type { Database } from '../../../store/sql/schema.ts';

const FORWARDS = ['fwd_forwarding', 'fwd_forwardingonbusy', 'fwd_forwardingonunavailable'] as const;

export interface Forward {
  readonly id: number;
  readonly number: string;
  readonly name: string;
  readonly field: (typeof FORWARDS)[number];
}

/** Employees who forward to one of these numbers, in the order of their own. */
export async function findForwards(trx: Kysely<Database>, ...to: readonly string[]): Promise<Forward[]> {
  const rows = await trx
    .selectFrom('employees')
    .select(['id', 'number', 'user_username', ...FORWARDS])
    .where((eb) => eb.or(FORWARDS.map((field) => eb(field, 'in', to))))
    .orderBy('number_key')
    .execute();
  return rows.flatMap(({ id, number, user_username: name, ...forwards }) =>
    FORWARDS.flatMap((field) => (to.includes(forwards[field]) ? [{ id, number, name, field }] : [])),
  );
}

/** Counts as writes of those employees, which others follow by version. */
export async function renameForwards(
  trx: Kysely<Database>,
  { from, to, now }: { readonly from: string; readonly to: string; readonly now: number },
): Promise<void> {
  if ((await findForwards(trx, from)).length === 0) return;
  const { version, changed_at: at } = await trx
    .updateTable('employee_changes')
    .set((eb) => ({
      version: eb('version', '+', 1),
      changed_at: eb.case().when('changed_at', '<', now).then(now).else(eb.ref('changed_at')).end(),
    }))
    .returning(['version', 'changed_at'])
    .executeTakeFirstOrThrow();
  for (const field of FORWARDS)
    await trx
      .updateTable('employees')
      .set({ [field]: to, version, updated_at: at })
      .where(field, '=', from)
      .execute();
}
