import type { EmployeeFullItem, ExtensionStatus } from '@pbxcore/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { useAddress } from '../../../ui/address.ts';
import { pageStart } from '../../../ui/paging.ts';
import { hasState, STATES, type State } from './employee-status.tsx';

export const PAGE = 50;
const SORTS = ['number', 'user_username', 'user_email', 'mobile'] as const;

export interface Wanted {
  readonly search: string;
  readonly sort: (typeof SORTS)[number];
  readonly descending: boolean;
  readonly offset: number;
  readonly state: State | '';
}

export function useWanted(): Wanted {
  const address = useAddress();
  return {
    search: address.get('search'),
    sort: address.oneOf('sort', SORTS, 'number'),
    descending: address.get('desc') === '1',
    offset: address.count('offset'),
    state: address.oneOf('status', ['', ...STATES], ''),
  };
}

interface Listed {
  readonly rows: EmployeeFullItem[];
  /** Number of matching employees. */
  readonly found: number;
  readonly total: number;
}

async function read(wanted: Wanted, limit: number, offset: number): Promise<Listed> {
  const { search, sort, descending } = wanted;
  const { data } = await api.employees.getList({
    fields: 'full',
    limit,
    offset,
    order: sort,
    orderWay: descending ? 'desc' : 'asc',
    ...(search && { search }),
  });
  return {
    rows: data.data as EmployeeFullItem[],
    found: data.recordsFiltered,
    total: data.recordsTotal,
  };
}

const AT_ONCE = 1000;

/** States are not stored with employees, so a list by state is filtered here from all matches. */
async function readAll(wanted: Wanted): Promise<Listed> {
  let listed = await read(wanted, AT_ONCE, 0);
  while (listed.rows.length < listed.found) {
    const { rows } = await read(wanted, AT_ONCE, listed.rows.length);
    if (rows.length === 0) break;
    listed = { ...listed, rows: [...listed.rows, ...rows] };
  }
  return listed;
}

export function useEmployeeList(
  wanted: Wanted,
  statuses: Readonly<Record<string, ExtensionStatus>> | undefined,
) {
  const { state, offset } = wanted;
  const asked = { ...wanted, offset: state ? 0 : offset, state: state !== '' };
  const query = useQuery({
    queryKey: ['employees', 'getList', asked],
    queryFn: () => (state ? readAll(wanted) : read(wanted, PAGE, offset)),
    placeholderData: keepPreviousData,
    refetchInterval: useFallbackInterval(),
  });
  const { data } = query;
  if (!data || !state) return { ...query, listed: data };
  if (!statuses) return { ...query, listed: undefined };
  const chosen = data.rows.filter(({ number }) => hasState(statuses[number], state));
  const start = pageStart(offset, PAGE, chosen.length);
  const listed = { ...data, rows: chosen.slice(start, start + PAGE), found: chosen.length };
  return { ...query, listed };
}
