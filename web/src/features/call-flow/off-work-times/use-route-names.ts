import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { ALL } from '../../../ui/whole-table.tsx';
import { DEFAULT_ROUTE } from '../incoming-routes/route-fields.ts';

interface RouteName {
  /** The id of the route. */
  readonly value: string;
  readonly label: string;
}

/** The incoming routes to choose from; the default route first, alone until the others are loaded. */
export function useRouteNames(): RouteName[] {
  const { t } = useTranslation();
  const { data: routes = [] } = useQuery({
    queryKey: ['incoming-routes', 'getList'],
    queryFn: async () => (await api.incomingRoutes.getList({ limit: ALL })).data,
  });
  return [
    { value: DEFAULT_ROUTE, label: t('off-work-times.defaultRoute') },
    ...routes.map(({ id, rulename, number }) => ({ value: id, label: rulename || number || id })),
  ];
}
