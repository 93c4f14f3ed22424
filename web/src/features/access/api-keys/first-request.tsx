import { Group, Loader, Text } from '@mantine/core';
import type { ApiKey } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { Status } from '../../../ui/status.tsx';
import { WallTime } from '../../../ui/wall-time.tsx';

const ASK_AGAIN_MS = 2000;

/** The current state of the key, refetched until it has been used. */
export function useFirstRequest(id: string): ApiKey | undefined {
  const { data } = useQuery({
    queryKey: ['api-keys', 'getRecord', { id }],
    queryFn: async () => (await api.apiKeys.getRecord(id)).data,
    // Events report only polls of bouncers.
    refetchInterval: ({ state }) => (state.data?.last_used_at ? false : ASK_AGAIN_MS),
  });
  return data;
}

/** Waits for the first use of the key, to show that the setup works. */
export function FirstRequest({ apiKey }: { readonly apiKey: ApiKey | undefined }) {
  const { t } = useTranslation();
  const from = apiKey?.bouncer?.last_poll_ip;
  return (
    <Group role="status" gap="xs">
      {apiKey?.last_used_at ? (
        <>
          <Status tone="good" label={from ? t('api-keys.seenFrom', { address: from }) : t('api-keys.seen')} />
          <Text size="sm" c="dimmed">
            <WallTime at={apiKey.last_used_at} />
          </Text>
        </>
      ) : (
        <>
          <Loader size="xs" aria-hidden />
          <Text size="sm">{t('api-keys.waiting')}</Text>
        </>
      )}
    </Group>
  );
}
