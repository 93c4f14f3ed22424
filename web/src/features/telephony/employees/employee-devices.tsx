import { Alert, Paper, Stack, Table, Text, Title } from '@mantine/core';
import type { ExtensionStatus } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { FailedLogins } from './failed-logins.tsx';

/** Phones that are logged in now, and failed logins. */
export function EmployeeDevices({ status }: { readonly status: ExtensionStatus | undefined }) {
  const { t } = useTranslation();
  const devices = status?.devices ?? [];
  return (
    <Stack>
      <Paper withBorder p="md">
        <Title order={2} size="h5" mb="xs">
          {t('employees.devicesNow')}
        </Title>
        {status?.status === 'Unknown' && <Alert color="orange">{t('employees.engineAway')}</Alert>}
        {devices.length === 0 && status?.status !== 'Unknown' && (
          <Text size="sm" c="dimmed">
            {t('employees.noDevices')}
          </Text>
        )}
        {devices.length > 0 && (
          <Table verticalSpacing={4} captionSide="top">
            <caption className="unseen">{t('employees.devicesNow')}</caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('employees.device')}</Table.Th>
                <Table.Th ta="right">{t('employees.rtt')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {devices.map(({ ip, port, user_agent, rtt }) => (
                <Table.Tr key={`${ip} ${port}`}>
                  <Table.Td>
                    <Text size="sm" lineClamp={2} title={user_agent}>
                      <bdi>{user_agent || t('employees.unnamedDevice')}</bdi>
                    </Text>
                    <Text size="xs" c="dimmed" className="digits">
                      {ip.includes(':') ? `[${ip}]` : ip}:{port}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right" className="digits">
                    {rtt === null ? '–' : t('employees.milliseconds', { ms: Math.round(rtt) })}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Paper>
      <FailedLogins logins={status?.failed_logins ?? []} />
    </Stack>
  );
}
