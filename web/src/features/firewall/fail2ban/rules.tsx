import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { Failure } from '../../../ui/failure.tsx';
import { Page } from '../../../ui/page.tsx';
import { ClientAddressBanner } from '../network-filters/client-address.tsx';
import { FirewallSwitch } from './firewall-switch.tsx';
import { RulesForm } from './rules-form.tsx';

/** After how many failures an address is banned, for how long, and which addresses never are. */
export function Rules() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['fail2ban', 'getRecord'],
    queryFn: async () => (await api.fail2ban.getRecord()).data,
  });
  return (
    <Page title={t('fail2ban.title')}>
      <ClientAddressBanner />
      <FirewallSwitch />
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton height={420} maw={680} />}
      {data && <RulesForm record={data} />}
    </Page>
  );
}
