import type { Employee } from '@pbxcore/client';
import i18next from 'i18next';
import { api } from '../../../api/api.ts';
import { EXTENSIONS } from '../../../api/live-cache.ts';
import { queryClient } from '../../../api/query-client.ts';
import { offerUndo, say } from '../../../ui/undo.tsx';
import { fieldsOf } from './employee-fields.ts';

const AT_ONCE = 10;

/** With their secrets, which no list has. */
async function readWhole(ids: readonly string[]): Promise<Employee[]> {
  const read: Employee[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const answers = await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => api.employees.getRecord(id)));
    read.push(...answers.map(({ data }) => data));
  }
  return read;
}

/** What is shown of employees and their phones is asked for again. */
export async function employeesChanged(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['employees'] }),
    queryClient.invalidateQueries({ queryKey: EXTENSIONS }),
  ]);
}

/**
 * Deletes and offers to take it back: numbers, secrets and settings are the same again, so phones go on working. Only the
 * ids are new, which is said: whoever keeps ids of employees outside will miss the old ones.
 */
export async function removeEmployees(ids: readonly string[]): Promise<void> {
  const gone = await readWhole(ids);
  const { messages } = await api.employees.batchDelete({ ids: [...ids] });
  await employeesChanged();
  for (const warning of messages.warning) say(warning);
  const name = gone.map(({ user_username }) => user_username)[0] ?? '';
  offerUndo(i18next.t('employees.deleted', { count: gone.length, name }), async () => {
    // Somebody who has taken one of the numbers meanwhile keeps it: creating is refused then, changing would not be.
    for (let at = 0; at < gone.length; at += 20)
      await api.employees.batchCreate({ employees: gone.slice(at, at + 20).map(fieldsOf) });
    await employeesChanged();
  });
}
