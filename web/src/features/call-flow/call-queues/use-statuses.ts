import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { QUEUES } from '../../../api/live-cache.ts';

/** While somebody waits, time itself is news. */
const WAITING_MS = 3000;
/** Whoever could not be asked is asked again without being told to. */
const FAILED_MS = 10_000;

/** The live board of all queues: asked for again when an event tells that it changed. What cannot be read now is not known. */
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
