import { Anchor, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Changed } from '../../../ui/changed.tsx';
import { Status } from '../../../ui/status.tsx';
import { Ago } from '../../../ui/time.tsx';
import { wallTime } from '../../../ui/wall-time.tsx';
import { RevokeKey } from '../../access/api-keys/revoke-key.tsx';
import { ConnectLines } from './connect-lines.tsx';
import { PollStrip } from './poll-strip.tsx';
import { UsageReport } from './usage-report.tsx';
import { BOUNCER_TONES, type BouncerKey, lastPollAt } from './use-bouncers.ts';

interface BouncerCardProps {
  readonly apiKey: BouncerKey;
  /** Time of the service's answer. */
  readonly asOf: number;
  readonly onRevoked: () => void;
  /** Revoked here and no longer in the service; the card stays while the screen is open. */
  readonly isGone?: boolean;
}

export function BouncerCard({ apiKey, asOf, onRevoked, isGone = false }: BouncerCardProps) {
  const { t, i18n } = useTranslation();
  const { id, description, bouncer } = apiKey;
  const state = isGone ? 'revoked' : bouncer.state;
  const polledAt = lastPollAt(bouncer, asOf);
  return (
    <Paper withBorder p="md" component="article" aria-label={description}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          {isGone ? (
            <Text fw={600} lineClamp={2}>
              {description}
            </Text>
          ) : (
            <Anchor
              fw={600}
              lineClamp={2}
              renderRoot={(props) => <Link {...props} to="/api-keys/$id" params={{ id }} />}
            >
              {description}
            </Anchor>
          )}
          <div role="status">
            <Changed value={state}>
              <Status tone={BOUNCER_TONES[state]} label={t(`firewall-bouncer.state.${state}`)} />
            </Changed>
          </div>
        </Group>
        <Text size="sm">{t(`firewall-bouncer.hint.${isGone ? 'gone' : state}`)}</Text>
        {!isGone && bouncer.late_since !== '' && (
          <Text size="sm" fw={600}>
            {t('firewall-bouncer.notEnforced', { time: wallTime(bouncer.late_since, i18n.language) })}
          </Text>
        )}
        {polledAt !== undefined && (
          <Text size="sm" c="dimmed">
            {t('firewall-bouncer.polled')} <Ago at={polledAt} />
            {bouncer.last_poll_ip &&
              ` ${t('firewall-bouncer.fromAddress', { address: bouncer.last_poll_ip })}`}
            {bouncer.interval_seconds !== null &&
              `, ${t('firewall-bouncer.every', { count: bouncer.interval_seconds })}`}
          </Text>
        )}
        {state !== 'never' && <PollStrip apiKey={id} />}
        {state !== 'never' && (
          <SimpleGrid cols={3}>
            <Figure label={t('firewall-bouncer.told')} value={bouncer.told} />
            <Figure label={t('firewall-bouncer.over')} value={bouncer.over} />
            <Figure label={t('firewall-bouncer.notYetTold')} value={bouncer.not_yet_told} />
          </SimpleGrid>
        )}
        {bouncer.user_agent && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {bouncer.user_agent}
          </Text>
        )}
        <UsageReport bouncer={bouncer} />
        {!isGone && <ConnectLines id={id} beside={<RevokeKey apiKey={apiKey} onRevoked={onRevoked} />} />}
      </Stack>
    </Paper>
  );
}

function Figure({ label, value }: { readonly label: string; readonly value: number | null }): ReactNode {
  const { i18n } = useTranslation();
  return (
    <div>
      <Text fw={600} className="digits">
        <Changed value={value}>
          {value === null ? '?' : new Intl.NumberFormat(i18n.language).format(value)}
        </Changed>
      </Text>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
    </div>
  );
}
