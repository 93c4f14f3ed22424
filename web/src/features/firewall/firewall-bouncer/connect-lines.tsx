import { Anchor, Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyableBlock } from '../../../ui/copy.tsx';

/** What every client has to know. The key itself was shown once, and is nowhere to be read again. */
export function ConnectLines({ beside }: { readonly beside: ReactNode }) {
  const { t } = useTranslation();
  const [opened, { toggle }] = useDisclosure(false);
  const url = `${location.origin}/pbxcore/api/v3/firewall-bouncer/`;
  const key = t('firewall-bouncer.yourKey');
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
          <CopyableBlock
            label="crowdsec-firewall-bouncer.yaml"
            value={`api_url: ${url}\napi_key: ${key}\nupdate_frequency: 10s`}
          />
          <CopyableBlock label="curl" value={`curl -H 'X-Api-Key: ${key}' '${url}v1/decisions/stream'`} />
        </Stack>
      </Collapse>
    </div>
  );
}
