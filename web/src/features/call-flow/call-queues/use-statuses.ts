import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { QUEUES } from '../../../api/live-cache.ts';

/** Refetched while somebody waits, as waiting times grow. */
const WAITING_MS = 3000;
/** After a failure, refetches by itself. */
const FAILED_MS = 10_000;

/** The live board of all queues: refetched when an event reports a change. Nothing is shown while it cannot be read. */
export function useStatuses() {
  const fallback = useFallbackInterval();
  const { data, error, refetch } = useQuery({
    queryKey: QUEUES,
    queryFn: async () => (await api.callQueues.getStatuses()).data,
    refetchInterval: ({ state: { data, status } }) => {
      if (status === 'error') return FAILED_MS;
      return Object.values(data ?? {}).some(({ waiting }) => waiting > 0) ? WAITING_MS : fallback;
    },
    retry: false,
  });
  return { data: error ? undefined : data, error, retry: () => void refetch() };
}
