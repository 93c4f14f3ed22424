import { Button, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../../ui/failure.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';
import { Page } from '../../../ui/page.tsx';
import { ClientAddressBanner } from '../network-filters/client-address.tsx';
import { BouncerCard } from './bouncer-card.tsx';
import { notePoll } from './polls.ts';
import { type BouncerKey, lastPollAt, useBouncers } from './use-bouncers.ts';

const AGAIN_MS = 5000;

/** The bouncers that enforce the bans, and how far each is up to date. */
export function Bouncers() {
  const { t } = useTranslation();
  const { data, error, refetch, dataUpdatedAt: asOf } = useBouncers({ againMs: AGAIN_MS });
  const [revoked, setRevoked] = useState<BouncerKey[]>([]);
  const gone = revoked.filter(({ id }) => !data?.some((key) => key.id === id));

  useEffect(() => {
    for (const { id, bouncer } of data ?? []) {
      const at = lastPollAt(bouncer, asOf);
      if (at !== undefined) notePoll(id, at);
    }
  }, [data, asOf]);

  return (
    <Page title={t('firewall-bouncer.title')} actions={<CreateButton />}>
      <ClientAddressBanner />
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={220} maw={420} />}
      {data && data.length + gone.length === 0 && (
        <Stack align="flex-start" py="xl">
          <Text>{t('firewall-bouncer.none')}</Text>
          <CreateButton />
        </Stack>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
        {[...(data ?? []), ...gone].map((key) => (
          <BouncerCard
            key={key.id}
            apiKey={key}
            asOf={asOf}
            isGone={gone.includes(key)}
            onRevoked={() => setRevoked([...revoked, key])}
          />
        ))}
      </SimpleGrid>
    </Page>
  );
}

function CreateButton() {
  const { t } = useTranslation();
  return (
    <Button
      leftSection={<PlusIcon size={16} />}
      renderRoot={(props) => (
        <Link {...props} to="/api-keys/$id" params={{ id: 'new' }} search={{ preset: 'bouncer' }} />
      )}
    >
      {t('firewall-bouncer.create')}
    </Button>
  );
}
