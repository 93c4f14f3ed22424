import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

/** A record bound to a filter, and where to change that. */
export interface FilterUser {
  readonly kind: 'key' | 'employee' | 'provider';
  readonly name: string;
  readonly to: string;
}

type Bound = FilterUser & { readonly filter: string };

const PAGE = 1000;
const isFilter = (id: string): boolean => /^\d+$/.test(id);

/** By the id of the filter; `undefined` until all have been fetched. */
export function useFilterUsers(): ReadonlyMap<string, readonly FilterUser[]> | undefined {
  const keys = useQuery({ queryKey: ['api-keys', 'boundToFilters'], queryFn: boundKeys });
  const employees = useQuery({ queryKey: ['employees', 'boundToFilters'], queryFn: boundEmployees });
  const providers = useQuery({ queryKey: ['sip-providers', 'boundToFilters'], queryFn: boundProviders });
  if (!keys.data || !employees.data || !providers.data) return undefined;
  return Map.groupBy([...keys.data, ...providers.data, ...employees.data], ({ filter }) => filter);
}

async function boundKeys(): Promise<Bound[]> {
  const { data: keys } = await api.apiKeys.getList({ limit: PAGE });
  const bound = keys.filter((key) => key.has_network_filter);
  const records = await Promise.all(bound.map(async ({ id }) => (await api.apiKeys.getRecord(id)).data));
  return records
    .filter(({ networkfilterid }) => isFilter(networkfilterid))
    .map(({ id, description, networkfilterid }) => ({
      kind: 'key',
      filter: networkfilterid,
      name: description,
      to: `/api-keys/${id}`,
    }));
}

async function boundEmployees(): Promise<Bound[]> {
  const bound: Bound[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const { data: page } = await api.employees.getList({ fields: 'full', limit: PAGE, offset });
    for (const employee of page.data)
      if ('sip_networkfilterid' in employee && isFilter(employee.sip_networkfilterid))
        bound.push({
          kind: 'employee',
          filter: employee.sip_networkfilterid,
          name: `${employee.number} ${employee.user_username}`,
          to: `/employees/${employee.id}`,
        });
    if (page.data.length < PAGE) return bound;
  }
}

async function boundProviders(): Promise<Bound[]> {
  const { data: providers } = await api.sipProviders.getList({ includeDisabled: true, limit: PAGE });
  const records = await Promise.all(
    providers.map(async ({ id }) => (await api.sipProviders.getRecord(id)).data),
  );
  return records
    .filter(({ networkfilterid }) => isFilter(networkfilterid))
    .map(({ id, description, networkfilterid }) => ({
      kind: 'provider',
      filter: networkfilterid,
      name: description,
      to: `/providers/${id}`,
    }));
}
