import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { Failure } from '../../../ui/failure.tsx';
import { Page } from '../../../ui/page.tsx';
import { EditKey } from './edit-key.tsx';
import { ExplainKey } from './explain-key.tsx';
import { KeyFacts } from './key-facts.tsx';
import { NewKey } from './new-key.tsx';
import { RevokeKey } from './revoke-key.tsx';

/** One API key; `new` creates one. */
export function ApiKeyScreen() {
  const { id = 'new' } = useParams({ strict: false });
  return id === 'new' ? <NewKey /> : <Existing id={id} />;
}

function Existing({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isRevoking, setRevoking] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['api-keys', 'getRecord', { id }],
    queryFn: async () => (await api.apiKeys.getRecord(id)).data,
    refetchInterval: useFallbackInterval(),
    enabled: !isRevoking,
  });
  return (
    <Page
      title={data?.description ?? t('api-keys.one', { id })}
      actions={
        data && (
          <RevokeKey
            apiKey={data}
            onRevoking={setRevoking}
            onRevoked={() => void navigate({ to: '/api-keys', ignoreBlocker: true })}
          />
        )
      }
    >
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton height={420} maw={720} />}
      {data && (
        <Stack maw={720} gap="lg">
          <KeyFacts apiKey={data} />
          <EditKey key={id} apiKey={data} />
          <ExplainKey id={id} isAsked={!isRevoking} />
        </Stack>
      )}
    </Page>
  );
}
