import { api } from '../../../api/api.ts';
import { ALL } from '../../../ui/whole-table.tsx';
import type { User } from '../../call-flow/parts/users.tsx';

/** The routes of a provider, which prevent its removal (contract 20.7). */
export async function routesOf(id: string): Promise<User[]> {
  const [incoming, outbound] = await Promise.all([
    api.incomingRoutes.getList({ limit: ALL }),
    api.outboundRoutes.getList({ limit: ALL }),
  ]);
  const uses = ({ providerid }: { readonly providerid: string }) => providerid === id;
  const asUser = (kind: string) => (route: { readonly id: string; readonly rulename: string }) => ({
    kind,
    id: route.id,
    name: route.rulename,
    field: 'providerid',
  });
  return [
    ...incoming.data.filter(uses).map(asUser('incoming-routes')),
    ...outbound.data.filter(uses).map(asUser('outbound-routes')),
  ];
}
