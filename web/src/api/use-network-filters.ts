import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';

/** Filters to choose from. `localhost` can only be chosen for keys, so each answer has its own query key. */
export const useNetworkFilters = (includeLocalhost = false) =>
  useQuery({
    queryKey: ['network-filters', 'getForSelect', { includeLocalhost }],
    queryFn: async () =>
      (await api.networkFilters.getForSelect(includeLocalhost ? { includeLocalhost } : {})).data,
  });
