import { Button, Group, Paper, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core';
import type { ProviderStatus } from '@pbxcore/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useExchangeZone } from '../../../api/use-exchange-zone.ts';
import { useAddress } from '../../../ui/address.ts';
import { Status } from '../../../ui/status.tsx';
import { Moment } from '../../../ui/time.tsx';
import { sayFailed } from '../../../ui/undo.tsx';
import { HistoryStrip, useHistory, useStats } from './history-strip.tsx';
import { ProviderStateText, TONES } from './provider-state.tsx';
import { providersChanged } from './provider-switch.tsx';

const RANGES = { '24h': 24, '7d': 168 } as const;
const SHOWN_CHANGES = 8;

/** The provider's current state and its history. */
export function ProviderNow({ status }: { readonly status: ProviderStatus }) {
  const { t, i18n } = useTranslation();
  const address = useAddress();
  const range = address.oneOf('range', ['24h', '7d'], '24h');
  const { data: zone } = useExchangeZone();
  const { data: stats } = useStats(status.id);
  const availability = stats?.aggregated.availability;
  const share = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 2 });
  return (
    <Paper withBorder p="md" component="section" aria-label={t('sip-providers.stateNow')}>
      <Stack gap="sm">
        <Group justify="space-between" align="start">
          <div role="status">
            <ProviderStateText status={status} />
          </div>
          <CheckButton id={status.id} />
        </Group>
        <Group gap="lg">
          {status.stateStartTime > 0 && zone && (
            <Fact label={t('sip-providers.since')}>
              <Moment at={status.stateStartTime * 1000} zone={zone} />
            </Fact>
          )}
          <Fact label={t('sip-providers.rtt')}>
            {status.rtt === null ? '–' : t('sip-providers.milliseconds', { ms: Math.round(status.rtt) })}
          </Fact>
          {availability !== undefined && (
            <Fact label={t('sip-providers.availability')}>
              {availability === null ? '–' : share.format(availability)}
            </Fact>
          )}
        </Group>
        <Group justify="space-between">
          <Title order={2} size="h5">
            {t('sip-providers.history')}
          </Title>
          <SegmentedControl
            size="xs"
            aria-label={t('sip-providers.range')}
            value={range}
            onChange={(value) => address.set({ range: value === '24h' ? '' : value }, { replace: true })}
            data={Object.keys(RANGES).map((value) => ({ value, label: t(`sip-providers.ranges.${value}`) }))}
          />
        </Group>
        <HistoryStrip status={status} hours={RANGES[range]} />
        <Changes id={status.id} zone={zone} />
        {zone && (
          <Text size="xs" c="dimmed">
            {t('sip-providers.zone', { zone })}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm" className="digits" component="div">
        {children}
      </Text>
    </div>
  );
}

function Changes({ id, zone }: { readonly id: string; readonly zone: string | undefined }) {
  const { t } = useTranslation();
  const { data } = useHistory(id);
  if (!data || !zone) return null;
  if (data.events.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('sip-providers.noChanges')}
      </Text>
    );
  return (
    <Table verticalSpacing={4} captionSide="top">
      <caption className="unseen">{t('sip-providers.changes')}</caption>
      <Table.Thead className="unseen">
        <Table.Tr>
          <Table.Th>{t('sip-providers.time')}</Table.Th>
          <Table.Th>{t('sip-providers.stateNow')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {data.events.slice(0, SHOWN_CHANGES).map(({ timestamp, state }) => (
          <Table.Tr key={`${timestamp} ${state}`}>
            <Table.Td className="digits">
              <Moment at={timestamp * 1000} zone={zone} />
            </Table.Td>
            <Table.Td>
              <Status tone={TONES[state]} label={t(`sip-providers.state.${state}`)} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function CheckButton({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  async function check() {
    setBusy(true);
    try {
      await api.sipProviders.forceCheck(id);
      await providersChanged();
    } catch (error) {
      sayFailed(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button size="compact-sm" variant="default" loading={busy} onClick={() => void check()}>
      {t('sip-providers.checkNow')}
    </Button>
  );
}
