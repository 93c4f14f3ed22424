import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

/** Of the keys that fetch bans, `undefined` while they are not known. */
export function useBouncerNames(): string[] | undefined {
  const { data } = useQuery({
    queryKey: ['api-keys', 'getList', {}],
    queryFn: async () => (await api.apiKeys.getList()).data,
  });
  return data?.filter(({ bouncer }) => bouncer !== null).map(({ description }) => description);
}
