import { Anchor, Button, Collapse, Group, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { CopyableBlock } from '../../../ui/copy.tsx';
import { Failure } from '../../../ui/failure.tsx';

interface ConnectLinesProps {
  /** Of its API key. */
  readonly id: string;
  readonly beside: ReactNode;
}

/** The ready texts for every client. The key itself was shown once, and cannot be read again. */
export function ConnectLines({ id, beside }: ConnectLinesProps) {
  const { t } = useTranslation();
  const [opened, { toggle }] = useDisclosure(false);
  return (
    <div>
      <Group justify="space-between">
        <Button size="xs" variant="default" onClick={toggle} aria-expanded={opened}>
          {t('firewall-bouncer.connect')}
        </Button>
        {beside}
      </Group>
      <Collapse expanded={opened}>
        <Stack gap="xs" mt="xs">
          <Text size="sm">
            {t('firewall-bouncer.keyShownOnce')}{' '}
            <Anchor
              underline="always"
              size="sm"
              renderRoot={(props) => (
                <Link {...props} to="/api-keys/$id" params={{ id: 'new' }} search={{ preset: 'bouncer' }} />
              )}
            >
              {t('firewall-bouncer.create')}
            </Anchor>
          </Text>
          {opened && <Texts id={id} />}
        </Stack>
      </Collapse>
    </div>
  );
}

function Texts({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState('');
  const { data, error, refetch } = useQuery({
    // Not below the keys: a key just revoked has none, and opening them again refetches them.
    queryKey: ['snippets-of-key', id],
    staleTime: 0,
    queryFn: async () => (await api.apiKeys.getSnippets(id)).data,
  });
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  const shown = data?.find((snippet) => snippet.id === chosen) ?? data?.[0];
  if (!data || !shown) return null;
  return (
    <>
      <Select
        label={t('firewall-bouncer.client')}
        data={data.map(({ id: value, label }) => ({ value, label }))}
        value={shown.id}
        onChange={(value) => setChosen(value ?? '')}
        allowDeselect={false}
      />
      <CopyableBlock label={shown.filename} value={shown.text} />
    </>
  );
}
