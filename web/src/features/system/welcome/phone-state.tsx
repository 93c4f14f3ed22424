import { Alert, Group, Loader, Stack, Text } from '@mantine/core';
import type { ExtensionStatus } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useLive } from '../../../api/live.ts';
import { EXTENSIONS } from '../../../api/live-cache.ts';

/** Short, as somebody at a phone is waiting for the result. */
const WITHOUT_STREAM_MS = 2000;

/** Waits until a phone registers, and says so; otherwise why it does not, if known. */
export function PhoneState({ number }: { readonly number: string }) {
  const { t } = useTranslation();
  const isLive = useLive().state === 'open';
  const { data: statuses } = useQuery({
    queryKey: EXTENSIONS,
    queryFn: async () => (await api.sip.getStatuses()).data as Record<string, ExtensionStatus>,
    refetchInterval: isLive ? false : WITHOUT_STREAM_MS,
  });
  const status = statuses?.[number];
  const device = status?.status === 'Available' ? status.devices[0] : undefined;
  const failing = status?.failed_logins?.[0];
  return (
    <Stack role="status" gap="xs">
      {device ? (
        <Alert color="green" title={t('welcome.registered')}>
          <Text size="sm" lineClamp={4}>
            <bdi>{device.user_agent || t('welcome.aPhone')}</bdi>, {device.ip}
          </Text>
          <Text size="sm">{t('welcome.registeredHint', { number })}</Text>
        </Alert>
      ) : (
        <Group gap="sm" wrap="nowrap">
          <Loader size="sm" aria-hidden />
          <Text>{t('welcome.waiting', { number })}</Text>
        </Group>
      )}
      {failing && !device && (
        <Alert color="red">
          {t(failing.reason ? 'welcome.failingTls' : 'welcome.failing', { address: failing.ip, number })}
        </Alert>
      )}
    </Stack>
  );
}
