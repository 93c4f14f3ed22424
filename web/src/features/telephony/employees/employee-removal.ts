import type { Employee } from '@pbxcore/client';
import i18next from 'i18next';
import { api } from '../../../api/api.ts';
import { EXTENSIONS } from '../../../api/live-cache.ts';
import { queryClient } from '../../../api/query-client.ts';
import { offerUndo, say } from '../../../ui/undo.tsx';
import { flowChanged } from '../../call-flow/parts/flow-changed.ts';
import { keepersOf, type User } from '../../call-flow/parts/users.tsx';
import { fieldsOf } from './employee-fields.ts';
import { queuePlacesOf, takePlacesAgain } from './queue-places.ts';

const AT_ONCE = 10;

/** With their secrets, which lists do not contain. */
async function readWhole(ids: readonly string[]): Promise<Employee[]> {
  const read: Employee[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const answers = await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => api.employees.getRecord(id)));
    read.push(...answers.map(({ data }) => data));
  }
  return read;
}

/** Refetches what is shown of employees and their phones. */
export async function employeesChanged(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['employees'] }),
    queryClient.invalidateQueries({ queryKey: EXTENSIONS }),
  ]);
}

export interface UsedEmployee {
  readonly id: string;
  readonly name: string;
  readonly users: readonly User[];
}

/** Employees who cannot be deleted because calls go to their number or mobile, with the records that refer to it. */
export async function usedAmong(ids: readonly string[]): Promise<UsedEmployee[]> {
  const used: UsedEmployee[] = [];
  for (const { id, number, user_username, mobile_number } of await readWhole(ids)) {
    const numbers = [number, ...(mobile_number ? [mobile_number] : [])];
    const answers = await Promise.all(numbers.map((one) => api.extensions.getRecord(one)));
    const users = keepersOf(answers.flatMap(({ data }) => data.usedBy));
    if (users.length > 0) used.push({ id, name: `${user_username} <${number}>`, users });
  }
  return used;
}

/**
 * Deletes and offers an undo: numbers, secrets, settings and queue memberships are restored, so phones continue to
 * work. Only the ids are new, which the message says: programs that store ids of employees will miss the old ones.
 * Calls that got another target in the same step keep it.
 */
export async function removeEmployees(ids: readonly string[], replaceWith?: string): Promise<void> {
  const gone = await readWhole(ids);
  const places = await queuePlacesOf(gone);
  const [only = ''] = ids;
  const { messages } = await (ids.length === 1
    ? api.employees.delete(only, replaceWith === undefined ? {} : { replaceWith })
    : api.employees.batchDelete({ ids: [...ids] }));
  await Promise.all([employeesChanged(), flowChanged()]);
  for (const warning of messages.warning) say(warning);
  const name = gone.map(({ user_username }) => user_username)[0] ?? '';
  const done =
    replaceWith === undefined
      ? i18next.t('employees.deleted', { count: gone.length, name })
      : i18next.t('employees.deletedReplaced', { name });
  offerUndo(done, async () => {
    // A number taken by somebody else meanwhile stays theirs: creating is then refused, changing would not be.
    for (let at = 0; at < gone.length; at += 20)
      await api.employees.batchCreate({ employees: gone.slice(at, at + 20).map(fieldsOf) });
    await takePlacesAgain(places);
    await Promise.all([employeesChanged(), flowChanged()]);
  });
}
