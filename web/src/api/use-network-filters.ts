import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';

/** Filters to choose from. `localhost` is a choice for keys only, so each answer is kept under its own key. */
export const useNetworkFilters = (includeLocalhost = false) =>
  useQuery({
    queryKey: ['network-filters', 'getForSelect', { includeLocalhost }],
    queryFn: async () =>
      (await api.networkFilters.getForSelect(includeLocalhost ? { includeLocalhost } : {})).data,
  });
