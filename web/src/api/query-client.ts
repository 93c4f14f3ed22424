import { ApiError } from '@pbxcore/client';
import { QueryClient } from '@tanstack/react-query';

/**
 * Query keys begin with the resource as in its URL, then the operation, then its parameters: `['employees', 'getList',
 * { search }]`. An event about a record marks everything below its resource as outdated.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
    },
  },
});
