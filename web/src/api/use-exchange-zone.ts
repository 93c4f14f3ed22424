import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';

/** The time zone of the exchange, from any list of calls: a list for no call is empty and fast. */
export const useExchangeZone = () =>
  useQuery({
    queryKey: ['exchange-zone'],
    queryFn: async () => (await api.cdr.getList({ linkedid: '-', limit: 1 })).meta.timezone ?? 'UTC',
    staleTime: Infinity,
  });
