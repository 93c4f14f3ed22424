import { Alert, Group, Loader, Text } from '@mantine/core';
import type { ProviderStatus } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { messageOf } from '../../../api/errors.ts';
import { useNow } from '../../../ui/time.tsx';
import { RejectionReason } from './provider-state.tsx';

const WATCHED_MS = 20_000;
/** For this long, an accepted registration may still be the one with the earlier settings. */
const SETTLING_MS = 3000;
const GOOD = ['registered', 'OK', 'lagged'];

interface ProviderTrialProps {
  readonly id: string;
  readonly savedAt: number;
}

/** After saving: whether the provider accepts it, or why not. Watched for some seconds, then the current state. */
export function ProviderTrial({ id, savedAt }: ProviderTrialProps) {
  const { t } = useTranslation();
  const now = useNow();
  const isOver = now - savedAt > WATCHED_MS;
  const { data, error } = useQuery({
    queryKey: ['sip-providers', 'forceCheck', id, savedAt],
    queryFn: async () => (await api.sipProviders.forceCheck(id)).data,
    refetchInterval: ({ state }) => (isOver || isSettled(state.data, savedAt) ? false : 1500),
    retry: false,
    gcTime: 0,
  });
  if (data?.state === 'OFF') return null;
  if (!isSettled(data, savedAt) && !isOver)
    return (
      <Alert role="status" color="gray">
        <Group gap="xs">
          <Loader size="xs" aria-hidden />
          <Text size="sm">{t('sip-providers.trying')}</Text>
        </Group>
      </Alert>
    );
  if (!data) return error && <Alert color="orange" role="status" title={messageOf(error)} />;
  const isGood = GOOD.includes(data.state);
  const name = isGood ? 'good' : data.state === 'rejected' ? 'rejected' : 'silent';
  return (
    <Alert color={isGood ? 'green' : 'red'} role="status" title={t(`sip-providers.trial.${name}`)}>
      {name === 'rejected' && <RejectionReason reason={data.rejectionReason ?? ''} />}
      {name === 'silent' && <Text size="sm">{data.stateDescription}</Text>}
      {isGood && data.rtt !== null && (
        <Text size="sm">{t('sip-providers.answersIn', { ms: Math.round(data.rtt) })}</Text>
      )}
    </Alert>
  );
}

function isSettled(status: ProviderStatus | undefined, savedAt: number): boolean {
  if (!status || !(GOOD.includes(status.state) || status.state === 'rejected'))
    return status?.state === 'OFF';
  return status.stateStartTime * 1000 >= savedAt || Date.now() - savedAt > SETTLING_MS;
}
