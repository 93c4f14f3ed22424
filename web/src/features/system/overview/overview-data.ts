import type { ExtensionStatus, ProviderStatuses, ShortExtensionStatus } from '@pbxcore/client';
import { skipToken, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { BANS } from '../../../api/live-bans.ts';
import { CALLS, EXTENSIONS, type LiveCall, PROVIDERS } from '../../../api/live-cache.ts';

const HOUR_MS = 3_600_000;
/** Beyond this number, bans are only counted: reading them all is for their own screen. */
const BANS_LISTED = 2000;

export function useCallsNow() {
  return useQuery({
    queryKey: CALLS,
    queryFn: async () => (await api.pbxStatus.getActiveCalls()).data as LiveCall[],
    refetchInterval: useFallbackInterval(),
  });
}

interface Phones {
  readonly total: number;
  readonly available: number;
  readonly unknown: number;
}

/** Number of phones by state. The event stream sends all states; until then, the short form is fetched. */
export function usePhones(): { phones?: Phones; isFailed: boolean } {
  const { data: told } = useQuery<Record<string, ExtensionStatus>>({
    queryKey: EXTENSIONS,
    queryFn: skipToken,
  });
  const { data: asked, isError: isFailed } = useQuery({
    queryKey: ['sip', 'getStatuses', { simplified: true }],
    queryFn: async () =>
      (await api.sip.getStatuses({ simplified: true })).data as Record<string, ShortExtensionStatus>,
    enabled: told === undefined,
    refetchInterval: useFallbackInterval(),
  });
  const phones = told ?? asked;
  if (!phones) return { isFailed };
  const states = Object.values(phones).map(({ status }) => status);
  const count = (state: string) => states.filter((one) => one === state).length;
  return {
    phones: { total: states.length, available: count('Available'), unknown: count('Unknown') },
    isFailed: false,
  };
}

export function useProviders() {
  return useQuery({
    queryKey: PROVIDERS,
    queryFn: async () => (await api.sipProviders.getStatuses()).data,
    select: providersOf,
    refetchInterval: useFallbackInterval(),
  });
}

const providersOf = ({ sip }: ProviderStatuses) => Object.values(sip);

/** By category, if there are few enough to read. */
export function useBanCategories(total: number | undefined) {
  const { data } = useQuery({
    queryKey: BANS,
    queryFn: async () => (await api.firewall.getBannedIps()).data,
    enabled: total !== undefined && total <= BANS_LISTED,
    refetchInterval: useFallbackInterval(),
  });
  if (!data) return undefined;
  const counts = new Map<string, number>();
  for (const { category } of Object.values(data).flatMap(({ bans }) => bans))
    counts.set(category, (counts.get(category) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** Hour by hour, by the exchange's clock. */
export function useLastDay() {
  return useQuery({
    queryKey: ['cdr', 'getStats', 'last day'],
    queryFn: async () => {
      const now = Date.now();
      const text = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
      return (await api.cdr.getStats({ dateFrom: text(now - 23 * HOUR_MS), dateTo: text(now), by: 'hour' }))
        .data;
    },
    refetchInterval: 60_000,
  });
}
