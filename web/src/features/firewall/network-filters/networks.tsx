import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { FirewallRecord } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { ALL, WholeTable } from '../../../ui/whole-table.tsx';
import { AllowMyAddress } from './allow-my-address.tsx';
import { ClientAddressBanner } from './client-address.tsx';
import { DeleteNetwork } from './delete-network.tsx';
import { useFilterUsers } from './use-filter-users.ts';
import { UsedBy } from './used-by.tsx';

const byText = (name: 'permit' | 'description') => (a: FirewallRecord, b: FirewallRecord) =>
  a[name].localeCompare(b[name], undefined, { numeric: true });
const ORDERS = {
  priority: (a: FirewallRecord, b: FirewallRecord) => a.priority - b.priority,
  permit: byText('permit'),
  description: byText('description'),
};

/** Networks that are admitted, denied, or never blocked, and who is bound to them. */
export function Networks() {
  const { t } = useTranslation();
  const users = useFilterUsers();
  const query = useQuery({
    queryKey: ['firewall', 'getList', { limit: ALL }],
    queryFn: async () => (await api.firewall.getList({ limit: ALL })).data.items,
    refetchInterval: useFallbackInterval(),
  });

  const columns: Column<FirewallRecord>[] = [
    {
      id: 'permit',
      label: t('network-filters.permit'),
      sortable: true,
      cell: ({ id, permit }) => (
        <Anchor
          size="sm"
          className="digits"
          renderRoot={(props) => <Link {...props} to="/networks/$id" params={{ id }} />}
        >
          {permit || t('network-filters.unreadable')}
        </Anchor>
      ),
    },
    {
      id: 'description',
      label: t('network-filters.description'),
      sortable: true,
      cell: (row) => row.description,
    },
    { id: 'kind', label: t('network-filters.kind'), cell: (row) => <Kind filter={row} /> },
    {
      id: 'deny',
      label: t('network-filters.denied'),
      cell: ({ deny }) => <Text size="sm">{shortened(deny) || t('network-filters.deniesNobody')}</Text>,
    },
    {
      id: 'priority',
      label: t('network-filters.priority'),
      numeric: true,
      sortable: true,
      cell: ({ priority }) => priority,
    },
    {
      id: 'users',
      label: t('network-filters.usedBy'),
      cell: ({ id }) => <UsedBy users={users && (users.get(id) ?? [])} />,
    },
    { id: 'delete', label: t('network-filters.action'), cell: (row) => <DeleteNetwork filter={row} /> },
  ];

  return (
    <Page
      title={t('network-filters.title')}
      actions={
        <>
          <AllowMyAddress />
          <AddNetwork />
        </>
      }
    >
      <ClientAddressBanner />
      <Text size="sm" c="dimmed">
        {t('network-filters.hint')}
      </Text>
      <WholeTable
        caption={t('network-filters.title')}
        columns={columns}
        query={query}
        orders={ORDERS}
        empty={
          <Stack align="flex-start">
            <Text>{t('network-filters.none')}</Text>
            <Group>
              <AllowMyAddress />
              <AddNetwork />
            </Group>
          </Stack>
        }
      />
    </Page>
  );
}

function AddNetwork() {
  const { t } = useTranslation();
  return (
    <Button
      leftSection={<PlusIcon size={16} />}
      renderRoot={(props) => <Link {...props} to="/networks/$id" params={{ id: 'new' }} />}
    >
      {t('network-filters.add')}
    </Button>
  );
}

function Kind({ filter }: { readonly filter: FirewallRecord }) {
  const { t } = useTranslation();
  return (
    <Stack gap={2} align="flex-start">
      {filter.newer_block_ip && <Status tone="good" label={t('network-filters.neverBlocked')} />}
      {filter.local_network && <Status tone="busy" label={t('network-filters.local')} />}
      {!filter.newer_block_ip && !filter.local_network && (
        <Status tone="off" label={t('network-filters.plain')} />
      )}
    </Stack>
  );
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
