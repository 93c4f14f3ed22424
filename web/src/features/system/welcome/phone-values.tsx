import { Alert, Group, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import type { Employee, SipConnection } from '@pbxcore/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Copyable } from '../../../ui/copy.tsx';
import { QrCode } from '../../../ui/qr.tsx';

type Transport = 'udp' | 'tcp' | 'tls';

interface PhoneValuesProps {
  readonly employee: Employee;
  readonly connection: SipConnection;
}

/** What callers without the right see instead of a secret. */
const MASK = 'XXXXXXXX';

/** In URIs, an IPv6 host is in brackets, elsewhere not. */
const plainHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
const inUri = (host: string): string => (plainHost(host).includes(':') ? `[${plainHost(host)}]` : host);

/** Everything that a phone needs, to type, copy or scan as a code. */
export function PhoneValues({ employee, connection }: PhoneValuesProps) {
  const { t } = useTranslation();
  const allowed = employee.sip_transport.split(',') as Transport[];
  const [wanted, setWanted] = useState<Transport>();
  const transport = wanted && allowed.includes(wanted) ? wanted : (allowed[0] ?? 'udp');
  // This browser reached the exchange by one of its addresses, so a phone beside it can, too.
  const reached = plainHost(location.hostname);
  const [host = connection.host, ...others] = [connection.host, ...connection.otherHosts].sort(
    (a, b) => Number(plainHost(b) === reached) - Number(plainHost(a) === reached),
  );
  const { number, sip_secret: secret } = employee;
  const port = String(connection[transport]);
  const isHidden = secret === MASK;
  const account = `sip:${number}:${encodeURIComponent(secret)}@${inUri(host)}:${port};transport=${transport}`;
  return (
    <Stack gap="sm">
      {connection.problem !== null && (
        <Alert color="red" title={t('welcome.noSip')}>
          {connection.problem}
        </Alert>
      )}
      <Text>{t('welcome.phoneIntro')}</Text>
      <Group align="flex-start" gap="xl">
        <Table maw={420} withRowBorders={false} verticalSpacing={6} variant="vertical">
          <Table.Tbody>
            <Row label={t('welcome.server')}>
              <Copyable value={host} label={t('welcome.copyServer')} />
            </Row>
            <Row label={t('welcome.port')}>
              <Copyable value={port} label={t('welcome.copyPort')} />
            </Row>
            <Row label={t('welcome.transport')}>
              {allowed.length > 1 ? (
                <SegmentedControl
                  size="xs"
                  aria-label={t('welcome.transport')}
                  value={transport}
                  onChange={(next) => setWanted(next as Transport)}
                  data={allowed.map((one) => ({ value: one, label: one.toUpperCase() }))}
                />
              ) : (
                transport.toUpperCase()
              )}
            </Row>
            <Row label={t('welcome.user')}>
              <Copyable value={number} label={t('welcome.copyUser')} />
            </Row>
            <Row label={t('welcome.secret')}>
              {isHidden ? t('welcome.hidden') : <Copyable value={secret} label={t('welcome.copySecret')} />}
            </Row>
          </Table.Tbody>
        </Table>
        {!isHidden && (
          <Stack gap={4} maw={200}>
            <QrCode text={account} label={t('welcome.qr')} />
            <Text size="xs" c="dimmed">
              {t('welcome.qrHint')}
            </Text>
          </Stack>
        )}
      </Group>
      {others.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('welcome.otherHosts', { hosts: others.join(', ') })}
        </Text>
      )}
    </Stack>
  );
}

function Row({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th w={140}>{label}</Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}
