import type { EmployeeFullItem } from '@pbxcore/client';
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { ALL } from '../../../ui/whole-table.tsx';
import { useTargetWords } from '../parts/target-words.ts';
import { flowOf, MOST } from './flow-of-records.ts';

/** Everything that is drawn, from the stored records. */
export function useFlow() {
  const { t } = useTranslation();
  const target = useTargetWords();
  const refetchInterval = useFallbackInterval();
  const read = <T>(resource: string, name: string, queryFn: () => Promise<{ readonly data: T }>) => ({
    queryKey: [resource, name],
    queryFn: async () => (await queryFn()).data,
    refetchInterval,
  });
  const routes = useQuery(
    read('incoming-routes', 'getList', () => api.incomingRoutes.getList({ limit: ALL })),
  );
  const last = useQuery(read('incoming-routes', 'getDefaultRoute', api.incomingRoutes.getDefaultRoute));
  const rules = useQuery(read('off-work-times', 'getList', () => api.offWorkTimes.getList({ limit: ALL })));
  const menus = useQuery(read('ivr-menu', 'all', () => api.ivrMenu.getList({ limit: ALL })));
  const queues = useQuery(read('call-queues', 'getList', () => api.callQueues.getList({ limit: ALL })));
  const people = useQuery(
    read('employees', 'forwards', () => api.employees.getList({ fields: 'full', limit: ALL })),
  );
  // Where calls go that nobody takes is not in the lists.
  const wholeMenus = useRecords('ivr-menu', menus.data, api.ivrMenu.getRecord);
  const wholeQueues = useRecords('call-queues', queues.data, api.callQueues.getRecord);
  const queries = [routes, last, rules, menus, queues, people];
  const error = queries.find((query) => query.error)?.error ?? null;
  if (!routes.data || !last.data || !rules.data || !menus.data || !queues.data || !people.data)
    return { error, flow: undefined, isCut: false };
  if (!wholeMenus || !wholeQueues) return { error, flow: undefined, isCut: false };

  const employees = people.data.data as EmployeeFullItem[];
  const flow = flowOf(
    {
      routes: routes.data,
      defaultRoute: last.data,
      rules: rules.data,
      menus: menus.data,
      queues: queues.data,
      wholeMenus,
      wholeQueues,
      employees: new Map(employees.map((one) => [one.number, one])),
    },
    { t: (key, options = {}) => t(key, options), target },
  );
  const isCut = Math.max(routes.data.length, menus.data.length, queues.data.length) > MOST;
  return { error, flow, isCut };
}

/** The whole records of a list by id, when all are there; one that cannot be read is left out. */
function useRecords<T extends { readonly id: string }>(
  resource: string,
  list: readonly { readonly id: string }[] | undefined,
  read: (id: string) => Promise<{ readonly data: T }>,
): ReadonlyMap<string, T> | undefined {
  const refetchInterval = useFallbackInterval();
  const records = useQueries({
    queries: (list ?? []).slice(0, MOST).map(({ id }) => ({
      // As their own screens keep them.
      queryKey: [resource, 'getRecord', id],
      queryFn: async () => (await read(id)).data,
      refetchInterval,
    })),
  }) as UseQueryResult<T>[];
  if (!list || records.some(({ isPending }) => isPending)) return undefined;
  return new Map(records.flatMap(({ data }) => (data ? [[data.id, data] as const] : [])));
}
