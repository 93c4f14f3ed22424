import { Alert, Group, Progress, Stack, Text } from '@mantine/core';
import type { SystemInfo } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { Status } from '../../../ui/status.tsx';
import { Ago } from '../../../ui/time.tsx';
import { Facts } from './facts.tsx';
import { ENGINE_TONES } from './system-info.ts';

type Engine = SystemInfo['engine'];

/** The telephony engine, as `pbxcore engine status` shows it. */
export function EngineState({ engine }: { readonly engine: Engine }) {
  const { t } = useTranslation();
  const { state, since, installation, fetch, lastError, waiting, restarts } = engine;
  return (
    <Stack gap="xs" maw={720}>
      <Group gap="xs">
        <Status tone={ENGINE_TONES[state]} label={t(`system.engineState.${state}`)} />
        {since !== undefined && (
          <Text size="sm" c="dimmed">
            <Ago at={Date.parse(since)} />
          </Text>
        )}
      </Group>
      {fetch && <Fetch fetch={fetch} />}
      {lastError !== undefined && state !== 'up' && (
        <Alert color={state === 'none' ? 'gray' : 'red'}>{lastError}</Alert>
      )}
      {(installation || restarts > 0 || waiting) && (
        <Facts
          facts={[
            [t('system.engineVersion'), installation?.version],
            [t('system.engineWhere'), installation?.where],
            [t('system.engineWaiting'), waiting?.version],
            [t('system.restarts'), restarts > 0 ? String(restarts) : undefined],
          ]}
        />
      )}
    </Stack>
  );
}

function Fetch({
  fetch: { step, doneMb, totalMb, seconds },
}: {
  readonly fetch: NonNullable<Engine['fetch']>;
}) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 });
  const part = totalMb ? Math.min(100, (doneMb / totalMb) * 100) : undefined;
  return (
    <div role="status">
      <Text size="sm">
        {step} ·{' '}
        {totalMb
          ? t('system.fetchOf', { done: number.format(doneMb), total: number.format(totalMb) })
          : t('system.fetchDone', { done: number.format(doneMb) })}{' '}
        · {t('system.seconds', { count: Math.round(seconds) })}
      </Text>
      <Progress
        value={part ?? 100}
        animated={part === undefined}
        aria-label={t('system.engineState.fetching')}
      />
    </div>
  );
}
