import { Group, Paper, Select, SimpleGrid, Table, Text, Title } from '@mantine/core';
import type { QueueStatus } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Changed } from '../../../ui/changed.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Status, type Tone } from '../../../ui/status.tsx';
import { clockTime } from '../../../ui/time.tsx';
import { sayFailed } from '../../../ui/undo.tsx';
import { useStatuses } from './use-statuses.ts';

const STATES = ['in', 'paused', 'out'] as const;
type Member = QueueStatus['members'][number];

const TONES: Readonly<Record<Member['device'], Tone>> = {
  free: 'good',
  ringing: 'busy',
  inuse: 'busy',
  wrapup: 'warning',
  unavailable: 'bad',
  unknown: 'off',
};

/** One queue now: waiting callers and members. */
export function Board({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const { data, error, retry } = useStatuses();
  const status = data?.[id];
  if (!status) return error ? <Failure error={error} retry={retry} /> : null;
  const { waiting, longestWait, talking, free, members, callers, today } = status;
  const facts = [
    ['waiting', waiting],
    ['longest', clockTime(longestWait)],
    ['talking', talking],
    ['free', `${free} / ${members.length}`],
    ['answeredToday', `${today.answered} / ${today.offered}`],
    ['abandonedToday', today.abandoned],
  ] as const;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('call-queues.board.title')}>
      <Title order={2} size="h4" mb="xs">
        {t('call-queues.board.title')}
      </Title>
      <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }} mb="sm">
        {facts.map(([name, value]) => (
          <div key={name}>
            <Text size="xs" c="dimmed">
              {t(`call-queues.board.${name}`)}
            </Text>
            <Text fw={700} className="digits" component="div">
              <Changed value={String(value)}>{value}</Changed>
            </Text>
          </div>
        ))}
      </SimpleGrid>
      {callers.length > 0 && <Callers callers={callers} />}
      {members.length > 0 && <Members id={id} members={members} />}
    </Paper>
  );
}

function Callers({ callers }: { readonly callers: QueueStatus['callers'] }) {
  const { t } = useTranslation();
  return (
    <Table verticalSpacing={4} mb="sm" captionSide="top">
      <caption className="unseen">{t('call-queues.board.callers')}</caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={60}>{t('call-queues.board.position')}</Table.Th>
          <Table.Th>{t('call-queues.board.caller')}</Table.Th>
          <Table.Th ta="right">{t('call-queues.board.waits')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {callers.map(({ linkedid, position, src_num, src_name, wait }) => (
          <Table.Tr key={linkedid}>
            <Table.Td className="digits">{position}</Table.Td>
            <Table.Td>
              <bdi>{src_name && src_name !== src_num ? `${src_name} ${src_num}` : src_num}</bdi>
            </Table.Td>
            <Table.Td ta="right" className="digits">
              {clockTime(wait)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Members({ id, members }: { readonly id: string; readonly members: readonly Member[] }) {
  const { t } = useTranslation();

  async function setState(extension: string, state: Member['state']) {
    try {
      await api.callQueues.setMemberState(id, { extension, state });
      await queryClient.invalidateQueries({ queryKey: ['call-queues'] });
    } catch (error) {
      sayFailed(error);
    }
  }

  return (
    <Group component="ul" className="plain-list" gap="xs" aria-label={t('call-queues.members')}>
      {members.map(({ extension, represent, state, reason, device, callsToday }) => (
        <Paper key={extension} component="li" withBorder p="xs" w={{ base: '100%', xs: 250 }}>
          <Text size="sm" fw={600} truncate>
            <bdi>{represent}</bdi>
          </Text>
          <Group justify="space-between" wrap="nowrap" mt={4}>
            <Status
              tone={state === 'in' ? TONES[device] : 'off'}
              label={t(state === 'in' ? `call-queues.device.${device}` : `call-queues.state.${state}`)}
            />
            <Select
              size="xs"
              w={120}
              aria-label={t('call-queues.stateOf', { name: represent })}
              allowDeselect={false}
              value={state}
              data={STATES.map((value) => ({ value, label: t(`call-queues.state.${value}`) }))}
              onChange={(value) => value && void setState(extension, value as Member['state'])}
            />
          </Group>
          <Text size="xs" c="dimmed">
            {t('call-queues.board.callsToday', { count: callsToday })}
            {reason !== '' && ` · ${reason}`}
          </Text>
        </Paper>
      ))}
    </Group>
  );
}
