import { Anchor, Button, Code, Stack, Text } from '@mantine/core';
import type { ApiKeyListItem } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { WallTime } from '../../../ui/wall-time.tsx';
import { ALL, WholeTable } from '../../../ui/whole-table.tsx';
import { RevokeKey } from './revoke-key.tsx';

const byText =
  (name: 'description' | 'created_at' | 'last_used_at') => (a: ApiKeyListItem, b: ApiKeyListItem) =>
    a[name].localeCompare(b[name]);
const ORDERS = {
  description: byText('description'),
  created: byText('created_at'),
  used: byText('last_used_at'),
};

/** Keys for programs: what each may do, from where, and its last use. */
export function ApiKeys() {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['api-keys', 'getList', {}],
    queryFn: async () => (await api.apiKeys.getList({ limit: ALL })).data,
    refetchInterval: useFallbackInterval(),
  });

  const columns: Column<ApiKeyListItem>[] = [
    {
      id: 'description',
      label: t('api-keys.description'),
      sortable: true,
      cell: ({ id, description }) => (
        <Anchor
          size="sm"
          lineClamp={2}
          renderRoot={(props) => <Link {...props} to="/api-keys/$id" params={{ id }} />}
        >
          {description}
        </Anchor>
      ),
    },
    { id: 'display', label: t('api-keys.display'), cell: ({ key_display: key }) => <Code>{key}</Code> },
    { id: 'may', label: t('api-keys.may'), cell: (key) => <May apiKey={key} /> },
    {
      id: 'from',
      label: t('api-keys.from'),
      cell: ({ has_network_filter: isBound, networkfilter_represent: name }) => (
        <Text size="sm" lineClamp={2}>
          {isBound ? name : t('api-keys.anywhere')}
        </Text>
      ),
    },
    {
      id: 'created',
      label: t('api-keys.created'),
      sortable: true,
      cell: (key) => <WallTime at={key.created_at} />,
    },
    {
      id: 'used',
      label: t('api-keys.lastUsed'),
      sortable: true,
      cell: ({ last_used_at: at }) => (at ? <WallTime at={at} /> : t('api-keys.neverUsed')),
    },
    { id: 'revoke', label: t('api-keys.action'), cell: (key) => <RevokeKey apiKey={key} /> },
  ];

  return (
    <Page title={t('api-keys.title')} actions={<NewKeyButton />}>
      <Text size="sm" c="dimmed">
        {t('api-keys.zoneHint')}
      </Text>
      <WholeTable
        caption={t('api-keys.title')}
        columns={columns}
        query={query}
        orders={ORDERS}
        empty={
          <Stack align="flex-start">
            <Text>{t('api-keys.none')}</Text>
            <NewKeyButton />
          </Stack>
        }
      />
    </Page>
  );
}

function NewKeyButton() {
  const { t } = useTranslation();
  return (
    <Button
      leftSection={<PlusIcon size={16} />}
      renderRoot={(props) => <Link {...props} to="/api-keys/$id" params={{ id: 'new' }} />}
    >
      {t('api-keys.newTitle')}
    </Button>
  );
}

function May({ apiKey }: { readonly apiKey: ApiKeyListItem }) {
  const { t } = useTranslation();
  if (apiKey.full_permissions) return <Status tone="warning" label={t('api-keys.everything')} />;
  const count = apiKey.allowed_paths_count;
  return <Text size="sm">{count === 0 ? t('api-keys.nothing') : t('api-keys.resources', { count })}</Text>;
}
