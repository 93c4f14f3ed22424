import { ApiError } from '@pbxcore/client';
import { QueryClient } from '@tanstack/react-query';

/**
 * Query keys begin with the resource as its address names it, then the operation, then what was asked for:
 * `['employees', 'getList', { search }]`. An event about a record makes everything below its resource old.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
    },
  },
});
