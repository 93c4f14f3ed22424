import { Anchor, Button, Stack, Text } from '@mantine/core';
import type { QueueListItem, QueueStatus } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { Changed } from '../../../ui/changed.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';
import { Page } from '../../../ui/page.tsx';
import { clockTime } from '../../../ui/time.tsx';
import { ALL, WholeTable } from '../../../ui/whole-table.tsx';
import { useStatuses } from './use-statuses.ts';

export function Queues() {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['call-queues', 'getList'],
    queryFn: async () => (await api.callQueues.getList({ limit: ALL })).data,
    refetchInterval: useFallbackInterval(),
  });
  const { data: statuses, error, retry } = useStatuses();
  return (
    <Page title={t('call-queues.title')} actions={<NewButton />}>
      {error && <Failure error={error} retry={retry} />}
      <WholeTable
        caption={t('call-queues.title')}
        columns={useColumns(statuses)}
        query={query}
        orders={{
          name: (a, b) => a.name.localeCompare(b.name),
          extension: (a, b) => Number(a.extension) - Number(b.extension),
        }}
        empty={<NoneYet />}
      />
    </Page>
  );
}

function useColumns(statuses: Readonly<Record<string, QueueStatus>> | undefined): Column<QueueListItem>[] {
  const { t } = useTranslation();
  const live = (id: string, label: string, value: (status: QueueStatus) => string | number) => ({
    id,
    label,
    numeric: true,
    cell: (queue: QueueListItem) => {
      const status = statuses?.[queue.id];
      return status ? <Changed value={String(value(status))}>{value(status)}</Changed> : '–';
    },
  });
  return [
    {
      id: 'name',
      label: t('call-queues.field.name'),
      sortable: true,
      cell: ({ id, name, description }) => (
        <>
          <Anchor size="sm" renderRoot={(props) => <Link to="/queues/$id" params={{ id }} {...props} />}>
            <bdi>{name}</bdi>
          </Anchor>
          <Text size="xs" c="dimmed" lineClamp={2}>
            {description}
          </Text>
        </>
      ),
    },
    {
      id: 'extension',
      label: t('call-flow.number'),
      sortable: true,
      numeric: true,
      cell: (queue) => queue.extension,
    },
    live('waiting', t('call-queues.board.waiting'), ({ waiting }) => waiting),
    live('longest', t('call-queues.board.longest'), ({ longestWait }) => clockTime(longestWait)),
    live('talking', t('call-queues.board.talking'), ({ talking }) => talking),
    live('free', t('call-queues.board.free'), ({ free, members }) => `${free} / ${members.length}`),
    live(
      'today',
      t('call-queues.board.answeredToday'),
      ({ today }) => `${today.answered} / ${today.offered}`,
    ),
  ];
}

function NewButton() {
  const { t } = useTranslation();
  return (
    <Button
      leftSection={<PlusIcon size={16} />}
      renderRoot={(props) => <Link to="/queues/$id" params={{ id: 'new' }} {...props} />}
    >
      {t('call-queues.new')}
    </Button>
  );
}

function NoneYet() {
  const { t } = useTranslation();
  return (
    <Stack align="center" gap="xs">
      <Text fw={600}>{t('call-queues.none')}</Text>
      <Text size="sm" c="dimmed" ta="center">
        {t('call-queues.noneHint')}
      </Text>
      <NewButton />
    </Stack>
  );
}
