import { Group, Stack, Text } from '@mantine/core';
import type { Call } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { CopyIconButton } from '../../../ui/copy.tsx';
import { CallLegs } from './call-legs.tsx';
import { DeleteCall } from './delete-call.tsx';

/** One call as stored now, with fresh URLs of its recordings. */
export const useCall = (linkedid: string) =>
  useQuery({
    queryKey: ['cdr', 'getRecord', linkedid],
    queryFn: async () => (await api.cdr.getRecord(linkedid)).data as Call,
    retry: false,
  });

/** Below the row: its legs as a time line, its recordings, and actions. */
export function CallDetail({ call }: { readonly call: Call }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" py="xs">
      <CallLegs call={call} />
      <Group justify="space-between">
        <Group gap={4} wrap="nowrap">
          <Text size="xs" c="dimmed">
            {t('cdr.linkedid')} <bdi>{call.linkedid}</bdi>
          </Text>
          <CopyIconButton value={call.linkedid} label={t('cdr.copyLinkedid')} />
        </Group>
        <Group gap="xs">
          <ApiCall method="GET" path={`/cdr/${encodeURIComponent(call.linkedid)}`} />
          <DeleteCall call={call} />
        </Group>
      </Group>
    </Stack>
  );
}
