import { Alert, Anchor, Badge, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { isNotFound } from '../../../api/errors.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Page } from '../../../ui/page.tsx';
import { ModuleLog } from './module-log.tsx';
import { ModuleSettings } from './module-settings.tsx';
import { ModuleState, stateOf } from './module-state.tsx';
import { ModuleSwitch } from './module-switch.tsx';
import { RemoveModule } from './remove-module.tsx';

/** One module: its facts, its settings and its log. */
export function ModuleScreen() {
  const { t } = useTranslation();
  const { id = '' } = useParams({ strict: false });
  const [isLeaving, setLeaving] = useState(false);
  const {
    data: module,
    error,
    refetch,
  } = useQuery({
    queryKey: ['modules', 'getRecord', id],
    queryFn: async () => (await api.modules.getRecord(id)).data,
    refetchInterval: useFallbackInterval(),
    // The event about its removal arrives before this screen is left.
    enabled: !isLeaving,
  });
  if (module && isNotFound(error))
    return (
      <Page title={module.name}>
        <Text role="alert">{t('modules.gone')}</Text>
        <Back />
      </Page>
    );
  const failure = error && <Failure error={error} retry={() => void refetch()} />;
  if (!module)
    return (
      <Page title={id}>
        {failure ?? <Skeleton height={300} />}
        {failure && <Back />}
      </Page>
    );
  const { name, version, developer, description, reads, writes, acts, disableReasonText } = module;
  return (
    <Page
      title={name}
      actions={
        <Group gap="xs">
          <ModuleSwitch module={module} />
          <RemoveModule module={module} onRemoving={setLeaving} />
        </Group>
      }
    >
      {failure}
      <Back />
      <Group gap="md">
        <ModuleState module={module} />
        <Text size="sm" c="dimmed">
          {t('modules.by', { version: version || '?', developer: developer || '?' })}
        </Text>
      </Group>
      {stateOf(module) === 'broken' && (
        <Alert color="red" title={t(module.disabled ? 'modules.lastError' : 'modules.runsBroken')}>
          <bdi>{disableReasonText}</bdi>
          {module.broken && (
            <Text size="sm">{t(module.broken.enabled ? 'modules.brokenOn' : 'modules.brokenOff')}</Text>
          )}
        </Alert>
      )}
      <Text maw={720}>
        <bdi>{description}</bdi>
      </Text>
      <Named title={t('modules.reads')} names={reads} />
      <Named title={t('modules.writes')} names={writes} />
      <Named title={t('modules.acts')} names={acts} />
      {Object.keys(module.settingFields).length > 0 && (
        <Section title={t('modules.settings')}>
          {/* Remounted for another module only: typed values stay while its record changes. */}
          <ModuleSettings key={module.id} module={module} />
        </Section>
      )}
      <Section title={t('modules.endpoints')}>
        <Endpoints endpoints={module.endpoints} />
      </Section>
      <Section title={t('modules.log')}>
        <ModuleLog id={module.id} />
      </Section>
    </Page>
  );
}

function Named({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm">{title}</Text>
      {names.map((one) => (
        <Code key={one}>{one}</Code>
      ))}
    </Group>
  );
}

function Back() {
  const { t } = useTranslation();
  return (
    <Anchor component={Link} to="/modules" size="sm">
      {t('modules.all')}
    </Anchor>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

type Endpoint = { verb: string; path: string; channels: string[] };

function Endpoints({ endpoints }: { readonly endpoints: readonly Endpoint[] }) {
  const { t } = useTranslation();
  const columns: Column<Endpoint>[] = [
    { id: 'verb', label: t('modules.verb'), cell: ({ verb }) => <Code>{verb}</Code> },
    { id: 'path', label: t('modules.path'), cell: ({ path }) => <Code>{path}</Code> },
    {
      id: 'channels',
      label: t('modules.channels'),
      cell: ({ channels }) => (
        <Group gap={4}>
          {channels.map((one) => (
            <Badge key={one} variant="default" tt="none">
              {t(`modules.channel.${one}`)}
            </Badge>
          ))}
        </Group>
      ),
    },
  ];
  return (
    <DataTable
      caption={t('modules.endpoints')}
      columns={columns}
      rows={endpoints}
      rowKey={({ verb, path }) => `${verb} ${path}`}
      empty={<Text size="sm">{t('modules.noEndpoints')}</Text>}
    />
  );
}
