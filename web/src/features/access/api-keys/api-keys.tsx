import { Anchor, Button, Code, Stack, Text } from '@mantine/core';
import type { ApiKeyListItem } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { useAddress } from '../../../ui/address.ts';
import { type Column, DataTable, Pager } from '../../../ui/data-table.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';
import { Page } from '../../../ui/page.tsx';
import { pageStart } from '../../../ui/paging.ts';
import { Status } from '../../../ui/status.tsx';
import { WallTime } from '../../../ui/wall-time.tsx';
import { RevokeKey } from './revoke-key.tsx';

const PAGE = 100;
const ALL = 1000;
const SORTS = ['description', 'created', 'used'] as const;

/** Keys for programs: what each may do, from where, and when it was last used. */
export function ApiKeys() {
  const { t } = useTranslation();
  const { get, count, oneOf, set } = useAddress();
  const by = oneOf('sort', SORTS, 'description');
  const sorting = { by, descending: get('order') === 'desc' };
  const { data, error, refetch } = useQuery({
    queryKey: ['api-keys', 'getList', {}],
    queryFn: async () => (await api.apiKeys.getList({ limit: ALL })).data,
    refetchInterval: useFallbackInterval(),
  });
  const rows = data && sorted(data, by, sorting.descending);
  const offset = pageStart(count('offset'), PAGE, rows?.length ?? 0);

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
      {error && <Failure error={error} retry={() => void refetch()} />}
      {(!error || rows) && (
        <DataTable
          caption={t('api-keys.title')}
          columns={columns}
          rows={rows?.slice(offset, offset + PAGE)}
          rowKey={({ id }) => id}
          sorting={sorting}
          onSort={(next) => set({ sort: next.by, order: next.descending ? 'desc' : '', offset: '' })}
          empty={
            <Stack align="flex-start">
              <Text>{t('api-keys.none')}</Text>
              <NewKeyButton />
            </Stack>
          }
        />
      )}
      {rows && rows.length > 0 && (
        <Pager
          total={rows.length}
          limit={PAGE}
          offset={offset}
          onOffset={(next) => set({ offset: String(next) })}
        />
      )}
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

function sorted(
  keys: readonly ApiKeyListItem[],
  by: (typeof SORTS)[number],
  descending: boolean,
): ApiKeyListItem[] {
  const field = { description: 'description', created: 'created_at', used: 'last_used_at' } as const;
  const up = keys.toSorted((a, b) => a[field[by]].localeCompare(b[field[by]]));
  return descending ? up.reverse() : up;
}
