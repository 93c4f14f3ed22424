import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { Failure } from '../../../ui/failure.tsx';
import { Page } from '../../../ui/page.tsx';
import { ClientAddressBanner } from './client-address.tsx';
import { NetworkForm } from './network-form.tsx';

/** One network; `new` begins with the service's defaults. */
export function NetworkScreen() {
  const { t } = useTranslation();
  const { id = 'new' } = useParams({ strict: false });
  const isNew = id === 'new';
  const { data, error, refetch } = useQuery({
    queryKey: isNew ? ['firewall', 'getDefault'] : ['firewall', 'getRecord', { id }],
    queryFn: async () => (await (isNew ? api.firewall.getDefault() : api.firewall.getRecord(id))).data,
  });
  const title = isNew
    ? t('network-filters.newTitle')
    : (data && (data.description || data.permit)) || t('network-filters.one', { id });
  return (
    <Page title={title}>
      <ClientAddressBanner />
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton height={420} maw={640} />}
      {data && <NetworkForm key={id} record={data} />}
    </Page>
  );
}
