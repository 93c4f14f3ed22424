import { Code, Group, SimpleGrid, Text } from '@mantine/core';
import type { ApiKey } from '@pbxcore/client';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { WallTime } from '../../../ui/wall-time.tsx';

/** Facts about a key that cannot be changed. */
export function KeyFacts({ apiKey }: { readonly apiKey: ApiKey }) {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xs">
      <Fact label={t('api-keys.display')}>
        <Code>{apiKey.key_display}</Code>
      </Fact>
      <Fact label={t('api-keys.created')}>
        <WallTime at={apiKey.created_at} />
      </Fact>
      <Fact label={t('api-keys.lastUsed')}>
        {apiKey.last_used_at ? <WallTime at={apiKey.last_used_at} /> : t('api-keys.neverUsed')}
      </Fact>
    </SimpleGrid>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Group gap={6}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="sm" component="span">
        {children}
      </Text>
    </Group>
  );
}
