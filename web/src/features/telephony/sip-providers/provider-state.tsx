import { Group, Text } from '@mantine/core';
import type { ProviderStatus } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { PROVIDERS } from '../../../api/live-cache.ts';
import { Changed } from '../../../ui/changed.tsx';
import { Status, type Tone } from '../../../ui/status.tsx';
import { Ago } from '../../../ui/time.tsx';

export type ProviderState = ProviderStatus['state'];

/** By id; events keep it current, and without them it is polled. */
export function useProviderStatuses() {
  return useQuery({
    queryKey: PROVIDERS,
    queryFn: async () => (await api.sipProviders.getStatuses()).data,
    refetchInterval: useFallbackInterval(),
  });
}

export const TONES: Readonly<Record<ProviderState, Tone>> = {
  registered: 'good',
  OK: 'good',
  lagged: 'warning',
  unregistered: 'bad',
  rejected: 'bad',
  unreachable: 'bad',
  OFF: 'off',
  UNKNOWN: 'off',
};

/** Common answers of SIP servers, by what can be done about them. */
const REASONS: Readonly<Record<string, string>> = {
  401: 'login',
  403: 'login',
  404: 'unknownUser',
  407: 'login',
  408: 'timeout',
  423: 'interval',
  480: 'busy',
  500: 'busy',
  503: 'busy',
};

/** Key of an explanation of the provider's answer; the answer itself is shown beside it. */
function reasonKey(reason: string): string | undefined {
  const code = /\b[3-6]\d\d\b/.exec(reason)?.[0];
  return code === undefined ? undefined : REASONS[code];
}

export function RejectionReason({ reason }: { readonly reason: string }) {
  const { t } = useTranslation();
  const key = reasonKey(reason);
  return (
    <Text size="sm" component="span">
      {key && `${t(`sip-providers.reason.${key}`)} `}
      {reason && (
        <Text size="xs" c="dimmed" component="span">
          {t('sip-providers.answered', { reason })}
        </Text>
      )}
    </Text>
  );
}

/** The state with its reason, and since when. */
export function ProviderStateText({ status }: { readonly status: ProviderStatus | undefined }) {
  const { t } = useTranslation();
  if (!status) return null;
  const { state, rejectionReason, stateDescription, stateStartTime } = status;
  // Only for these does the service know more than the state's name.
  const isExplained = state === 'unregistered' || state === 'UNKNOWN';
  return (
    <div>
      <Group gap={6} component="span" display="inline-flex">
        <Changed value={state}>
          <Status tone={TONES[state]} label={t(`sip-providers.state.${state}`)} />
        </Changed>
        {stateStartTime > 0 && (
          <Text size="xs" c="dimmed" component="span">
            <Ago at={stateStartTime * 1000} />
          </Text>
        )}
      </Group>
      {rejectionReason !== undefined && (
        <div>
          <RejectionReason reason={rejectionReason} />
        </div>
      )}
      {isExplained && (
        <Text size="xs" c="dimmed">
          {stateDescription}
        </Text>
      )}
    </div>
  );
}
