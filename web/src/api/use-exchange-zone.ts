import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';

/** The zone of the exchange: every list of calls tells it, the empty one of no call at once. */
export const useExchangeZone = () =>
  useQuery({
    queryKey: ['exchange-zone'],
    queryFn: async () => (await api.cdr.getList({ linkedid: '-', limit: 1 })).meta.timezone ?? 'UTC',
    staleTime: Infinity,
  });
