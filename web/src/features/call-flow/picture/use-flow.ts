import type { EmployeeFullItem } from '@pbxcore/client';
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { ALL } from '../../../ui/whole-table.tsx';
import { useTargetWords } from '../parts/target-words.ts';
import { flowOf, MOST } from './flow-of-records.ts';

/** The contents of the picture, from the stored records. */
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
  // The lists lack the targets for calls that nobody takes.
  const wholeMenus = useRecords('ivr-menu', menus.data, api.ivrMenu.getRecord);
  const wholeQueues = useRecords('call-queues', queues.data, api.callQueues.getRecord);
  const isComplete = !wholeMenus.isPending && !wholeQueues.isPending;
  const [wasComplete, setWasComplete] = useState(false);
  if (isComplete && !wasComplete) setWasComplete(true);
  const queries = [routes, last, rules, menus, queues, people];
  const error = queries.find((query) => query.error)?.error ?? null;
  if (!routes.data || !last.data || !rules.data || !menus.data || !queues.data || !people.data)
    return { error, flow: undefined };
  // Once shown, the picture stays: what is added is complete a moment later.
  if (!wasComplete && !isComplete) return { error, flow: undefined };

  const employees = people.data.data as EmployeeFullItem[];
  const flow = flowOf(
    {
      routes: routes.data,
      defaultRoute: last.data,
      rules: rules.data,
      menus: menus.data,
      queues: queues.data,
      wholeMenus: wholeMenus.records,
      wholeQueues: wholeQueues.records,
      employees: new Map(employees.map((one) => [one.number, one])),
      hasMoreEmployees: people.data.recordsTotal > employees.length,
    },
    { t: (key, options = {}) => t(key, options), target },
  );
  return { error, flow };
}

/** The full records of a list by id, without those that are unreadable or not loaded yet. */
function useRecords<T extends { readonly id: string }>(
  resource: string,
  list: readonly { readonly id: string }[] | undefined,
  read: (id: string) => Promise<{ readonly data: T }>,
): { readonly records: ReadonlyMap<string, T>; readonly isPending: boolean } {
  const refetchInterval = useFallbackInterval();
  const records = useQueries({
    queries: (list ?? []).slice(0, MOST).map(({ id }) => ({
      // The same keys as on their own screens.
      queryKey: [resource, 'getRecord', id],
      queryFn: async () => (await read(id)).data,
      refetchInterval,
    })),
  }) as UseQueryResult<T>[];
  return {
    records: new Map(records.flatMap(({ data }) => (data ? [[data.id, data] as const] : []))),
    isPending: !list || records.some(({ isPending }) => isPending),
  };
}
