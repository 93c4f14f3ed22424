import { Anchor, Stack, Text } from '@mantine/core';
import type { Module } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Page } from '../../../ui/page.tsx';
import { InstallModule } from './install-module.tsx';
import { ModuleState } from './module-state.tsx';
import { ModuleSwitch } from './module-switch.tsx';

/** More than anybody installs. */
const LIMIT = 1000;

export function Modules() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['modules', 'getList'],
    queryFn: async () => (await api.modules.getList({ limit: LIMIT })).data,
    refetchInterval: useFallbackInterval(),
  });
  const columns: Column<Module>[] = [
    {
      id: 'name',
      label: t('modules.name'),
      cell: ({ id, name, description }) => (
        <Stack gap={0}>
          <Anchor component={Link} to={`/modules/${id}`} size="sm">
            <bdi>{name}</bdi>
          </Anchor>
          <Text size="xs" c="dimmed" lineClamp={2}>
            <bdi>{description}</bdi>
          </Text>
        </Stack>
      ),
    },
    { id: 'version', label: t('modules.version'), cell: ({ version }) => version },
    {
      id: 'developer',
      label: t('modules.developer'),
      cell: ({ developer }) => (
        <Text size="sm" lineClamp={1}>
          <bdi>{developer}</bdi>
        </Text>
      ),
    },
    {
      id: 'state',
      label: t('modules.stateLabel'),
      cell: (module) => (
        <Stack gap={0}>
          <ModuleState module={module} />
          {(module.disabled || module.broken) && (
            <Text size="xs" c="dimmed" lineClamp={2}>
              <bdi>{module.disableReasonText}</bdi>
            </Text>
          )}
        </Stack>
      ),
    },
    { id: 'switch', label: t('modules.switch'), cell: (module) => <ModuleSwitch module={module} /> },
  ];
  return (
    <Page title={t('app.screen.modules')} actions={<InstallModule />}>
      {error && !data ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <DataTable
          caption={t('app.screen.modules')}
          columns={columns}
          rows={data}
          rowKey={({ id }) => id}
          empty={<Text>{t('modules.empty')}</Text>}
        />
      )}
    </Page>
  );
}
