import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { QUEUES } from '../../../api/live-cache.ts';

/** While somebody waits, time itself is news. */
const WAITING_MS = 3000;

/** The live board of all queues: asked for again when an event tells that it changed. */
export function useStatuses() {
  const fallback = useFallbackInterval();
  return useQuery({
    queryKey: QUEUES,
    queryFn: async () => (await api.callQueues.getStatuses()).data,
    refetchInterval: ({ state: { data } }) =>
      Object.values(data ?? {}).some(({ waiting }) => waiting > 0) ? WAITING_MS : fallback,
  });
}
