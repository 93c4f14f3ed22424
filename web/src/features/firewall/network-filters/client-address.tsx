import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { Status } from '../../../ui/status.tsx';

/** The address of this browser as the service sees it (contract 32). */
export const useClientAddress = () =>
  useQuery({
    queryKey: ['system', 'checkClientIpVisibility'],
    queryFn: async () => (await api.system.checkClientIpVisibility({})).data,
    staleTime: 300_000,
  });

/** On every screen of the firewall: if all callers share one address, bans and filters hit the wrong ones. */
export function ClientAddressBanner() {
  const { t } = useTranslation();
  const { data } = useClientAddress();
  if (!data || data.verdict === 'ip_visible') return null;
  return (
    <Alert
      variant="default"
      role="status"
      title={<Status tone="warning" label={t(`network-filters.visibility.${data.verdict}`)} />}
    >
      <Text size="sm">{data.explanation}</Text>
    </Alert>
  );
}
