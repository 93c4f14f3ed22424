import { Anchor, Box, Button, Select, Stack, Text } from '@mantine/core';
import type { ProviderStatus, ProviderStatuses, SipProviderListItem } from '@pbxcore/client';
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
import { HistoryStrip } from './history-strip.tsx';
import { GROUPS, type Group, groupOf } from './provider-groups.ts';
import { ProviderStateText, useProviderStatuses } from './provider-state.tsx';
import { ProviderSwitch } from './provider-switch.tsx';

const PAGE = 25;

export function Providers() {
  const { t } = useTranslation();
  const address = useAddress();
  const { data, error, refetch } = useQuery({
    queryKey: ['sip-providers', 'getList'],
    queryFn: async () => (await api.sipProviders.getList({ includeDisabled: true })).data,
    refetchInterval: useFallbackInterval(),
  });
  const { data: statuses } = useProviderStatuses();
  const group = address.oneOf('state', ['', ...GROUPS], '');
  const rows = group === '' ? data : statuses && data?.filter(({ id }) => isOf(group, statuses.sip[id]));
  const offset = pageStart(address.count('offset'), PAGE, rows?.length ?? 0);
  const columns = useColumns(statuses);
  return (
    <Page title={t('sip-providers.title')} actions={<NewButton />}>
      {data && data.length > 0 && (
        <Select
          label={t('sip-providers.stateNow')}
          w={190}
          allowDeselect={false}
          value={group}
          onChange={(state) => address.set({ state: state ?? '', offset: '' })}
          data={[
            { value: '', label: t('sip-providers.group.any') },
            ...GROUPS.map((value) => ({ value, label: t(`sip-providers.group.${value}`) })),
          ]}
        />
      )}
      {error && <Failure error={error} retry={() => void refetch()} />}
      {(data || !error) && (
        <DataTable
          caption={t('sip-providers.title')}
          columns={columns}
          rows={rows?.slice(offset, offset + PAGE)}
          rowKey={({ id }) => id}
          empty={group === '' ? <NoneYet /> : <NoneOfThese />}
        />
      )}
      {rows && rows.length > PAGE && (
        <Pager
          total={rows.length}
          limit={PAGE}
          offset={offset}
          onOffset={(next) => address.set({ offset: next ? String(next) : '' })}
        />
      )}
    </Page>
  );
}

const isOf = (group: Group, status: ProviderStatus | undefined): boolean =>
  status !== undefined && groupOf(status) === group;

function useColumns(statuses: ProviderStatuses | undefined): Column<SipProviderListItem>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'description',
      label: t('sip-providers.name'),
      cell: ({ id, description, host }) => (
        <>
          <Anchor size="sm" renderRoot={(props) => <Link to="/providers/$id" params={{ id }} {...props} />}>
            <bdi>{description}</bdi>
          </Anchor>
          <Text size="xs" c="dimmed">
            {host}
          </Text>
        </>
      ),
    },
    {
      id: 'state',
      label: t('sip-providers.stateNow'),
      cell: ({ id }) => <ProviderStateText status={statuses?.sip[id]} />,
    },
    {
      id: 'kind',
      label: t('sip-providers.kind'),
      cell: ({ registration_type }) => t(`sip-providers.kindShort.${registration_type}`),
    },
    {
      id: 'rtt',
      label: t('sip-providers.rtt'),
      numeric: true,
      cell: ({ id }) => {
        const rtt = statuses?.sip[id]?.rtt ?? null;
        return rtt === null ? '–' : t('sip-providers.milliseconds', { ms: Math.round(rtt) });
      },
    },
    {
      id: 'history',
      label: t('sip-providers.lastDay'),
      cell: ({ id }) => {
        const status = statuses?.sip[id];
        return (
          status && (
            <Box w={180}>
              <HistoryStrip status={status} hours={24} />
            </Box>
          )
        );
      },
    },
    {
      id: 'enabled',
      label: t('sip-providers.enabled'),
      cell: ({ id, description, disabled }) => (
        <ProviderSwitch id={id} description={description} disabled={disabled} />
      ),
    },
  ];
}

function NewButton() {
  const { t } = useTranslation();
  return (
    <Button
      leftSection={<PlusIcon size={16} />}
      renderRoot={(props) => <Link to="/providers/$id" params={{ id: 'new' }} {...props} />}
    >
      {t('sip-providers.new')}
    </Button>
  );
}

function NoneOfThese() {
  const { t } = useTranslation();
  const address = useAddress();
  return (
    <Stack align="center" gap="xs">
      <Text fw={600}>{t('sip-providers.group.nothing')}</Text>
      <Button variant="default" onClick={() => address.set({ state: '', offset: '' })}>
        {t('sip-providers.group.showAll')}
      </Button>
    </Stack>
  );
}

function NoneYet() {
  const { t } = useTranslation();
  return (
    <Stack align="center" gap="xs">
      <Text fw={600}>{t('sip-providers.none')}</Text>
      <Text size="sm" c="dimmed">
        {t('sip-providers.noneHint')}
      </Text>
      <NewButton />
    </Stack>
  );
}
