import { ApiError, type Call, type CdrGetListQuery } from '@pbxcore/client';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useNow } from '../../../ui/time.tsx';
import { type CallAddress, PER_PAGE } from './call-address.ts';
import { type Days, daysOf } from './call-range.ts';
import { type CallSearch, parseCallSearch } from './call-search.ts';

/**
 * What may take long is not asked again with every call that ends: a person has one search at a time. One that finds
 * another under way comes back.
 */
export const SEARCH = {
  refetchInterval: 60_000,
  retry: (failures: number, error: unknown) =>
    failures < 4 && error instanceof ApiError && error.status === 429,
  retryDelay: 2000,
};

/** After a change of our own both kinds of lists are old. */
export function useForgetCalls(): () => Promise<unknown> {
  const cache = useQueryClient();
  return () =>
    Promise.all(['cdr', 'cdr-search'].map((name) => cache.invalidateQueries({ queryKey: [name] })));
}

/** Providers by id, as people call them. */
export function useProviderNames(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['providers', 'getForSelect', { includeDisabled: true }],
    queryFn: async () => (await api.providers.getForSelect({ includeDisabled: true })).data,
  });
  return new Map(data?.map(({ value, name }) => [value, name]));
}

export interface CallFilter extends CallSearch {
  readonly days: Days;
  /** What `GET /cdr` and its export take. */
  readonly parameters: CdrGetListQuery;
}

/** What the address asks for, as parameters of the interface; `undefined` until the zone is known. */
export function useCallFilter(address: CallAddress, zone: string | undefined): CallFilter | undefined {
  // A page that is left open goes on to the next day.
  const now = useNow(60_000);
  const names = useProviderNames();
  if (zone === undefined) return undefined;
  const days = daysOf(address.range, address, now, zone);
  const { query, problems } = parseCallSearch(address.q);
  const { provider } = query;
  const parameters = {
    ...(days.from && { dateFrom: days.from }),
    ...(days.to && { dateTo: days.to }),
    ...query,
    ...(provider !== undefined && { provider: providerId(provider, names) }),
  };
  return { days, query, problems, parameters };
}

/** People type a name, or a part of it. */
function providerId(typed: string, names: ReadonlyMap<string, string>): string {
  if (names.has(typed)) return typed;
  const wanted = typed.toLowerCase();
  const found = [...names].find(([, name]) => name.toLowerCase().includes(wanted));
  return found?.[0] ?? typed;
}

export function useCallList(address: CallAddress, filter: CallFilter | undefined) {
  const { sorting, offset } = address;
  const page = {
    ...filter?.parameters,
    sort: sorting.by,
    order: sorting.descending ? ('DESC' as const) : ('ASC' as const),
    limit: PER_PAGE,
    offset,
  };
  const isSearch = Object.keys(filter?.query ?? {}).length > 0;
  const query = useQuery({
    ...(isSearch ? SEARCH : {}),
    queryKey: [isSearch ? 'cdr-search' : 'cdr', 'getList', page],
    queryFn: async () => {
      const { data } = await api.cdr.getList(page);
      return { calls: data.records as Call[], total: data.pagination.total };
    },
    enabled: filter !== undefined,
    placeholderData: keepPreviousData,
  });
  return { ...query, asked: JSON.stringify(page) };
}
