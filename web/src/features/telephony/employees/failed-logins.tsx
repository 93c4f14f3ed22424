import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ExtensionStatus } from '@pbxcore/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Status } from '../../../ui/status.tsx';
import { Ago } from '../../../ui/time.tsx';
import { WhyBlocked } from './why-blocked.tsx';

type Login = NonNullable<ExtensionStatus['failed_logins']>[number];

/** Where logins as this employee fail from: most often a phone with an old secret. */
export function FailedLogins({ logins }: { readonly logins: readonly Login[] }) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="xs">
        {t('employees.failedLogins')}
      </Title>
      {logins.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('employees.noFailedLogins')}
        </Text>
      )}
      <Stack component="ul" className="plain-list" gap="sm">
        {logins.map((login) => (
          <Failed key={login.ip} login={login} />
        ))}
      </Stack>
    </Paper>
  );
}

function Failed({ login: { ip, since, reason } }: { readonly login: Login }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <Group justify="space-between" gap="xs">
        <Status tone="bad" label={ip} />
        <Button
          size="compact-xs"
          variant="default"
          aria-expanded={isOpen}
          aria-label={t('employees.whyAddress', { ip })}
          onClick={() => setOpen(!isOpen)}
        >
          {t('employees.why')}
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        {t('employees.failingSince')} <Ago at={Date.parse(since)} />
        {' · '}
        {t(reason === 'without TLS' ? 'employees.withoutTls' : 'employees.wrongSecret')}
      </Text>
      {isOpen && <WhyBlocked ip={ip} isWithoutTls={reason === 'without TLS'} />}
    </li>
  );
}
