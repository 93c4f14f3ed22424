import { ApiError, type Call, type CdrGetListQuery } from '@pbxcore/client';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useNow } from '../../../ui/time.tsx';
import { type CallAddress, PER_PAGE } from './call-address.ts';
import { type Days, daysOf } from './call-range.ts';
import { type CallSearch, parseCallSearch } from './call-search.ts';

/**
 * Slow queries are not repeated with every call that ends: a person has one search at a time. A search that is refused
 * because another one runs is retried.
 */
export const SEARCH = {
  refetchInterval: 60_000,
  retry: (failures: number, error: unknown) =>
    failures < 4 && error instanceof ApiError && error.status === 429,
  retryDelay: 2000,
};

/** After our own change, both kinds of lists are outdated. */
export function useForgetCalls(): () => Promise<unknown> {
  const cache = useQueryClient();
  return () =>
    Promise.all(['cdr', 'cdr-search'].map((name) => cache.invalidateQueries({ queryKey: [name] })));
}

/** Names of providers by id. */
export function useProviderNames(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['providers', 'getForSelect', { includeDisabled: true }],
    queryFn: async () => (await api.providers.getForSelect({ includeDisabled: true })).data,
  });
  return new Map(data?.map(({ value, name }) => [value, name]));
}

export interface CallFilter extends CallSearch {
  readonly days: Days;
  /** The parameters of `GET /cdr` and its export. */
  readonly parameters: CdrGetListQuery;
}

/** The filter in the URL as parameters of the API; `undefined` until the zone is known. */
export function useCallFilter(address: CallAddress, zone: string | undefined): CallFilter | undefined {
  // An open page continues with the next day.
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

/** Finds a provider by its name, or a part of it. */
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
