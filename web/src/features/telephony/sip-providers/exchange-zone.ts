import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

/** The zone of the exchange: every list of calls tells it, the empty one of no call at once. */
export function useExchangeZone(): string | undefined {
  const { data } = useQuery({
    queryKey: ['exchange-zone'],
    queryFn: async () => (await api.cdr.getList({ linkedid: '-', limit: 1 })).meta.timezone ?? 'UTC',
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
