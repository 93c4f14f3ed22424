import { SimpleGrid, Text } from '@mantine/core';
import type { SystemInfo } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/api.ts';
import { isOffline } from '../../../api/errors.ts';
import { Page } from '../../../ui/page.tsx';
import { BOUNCER_TONES, useBouncers } from '../../firewall/firewall-bouncer/use-bouncers.ts';
import { GROUPS, groupOf } from '../../telephony/sip-providers/provider-groups.ts';
import { ENGINE_TONES, useSystemInfo } from '../system/system-info.ts';
import { Card, Line } from './card.tsx';
import { Health } from './health.tsx';
import { LastDay } from './last-day.tsx';
import { useBanCategories, useCallsNow, usePhones, useProviders } from './overview-data.ts';
import { type Known, warningsOf } from './warnings.ts';

const GROUP_TONES = { working: 'good', notWorking: 'bad', off: 'off', unknown: 'off' } as const;

/** Is everything all right? Everything links to the screen with more, with the filter set. */
export function Overview() {
  const { t, i18n } = useTranslation();
  const { passwordIsGenerated } = useSession();
  const system = useSystemInfo();
  const { data: info } = system;
  const providers = useProviders();
  // No event reports that a bouncer becomes late.
  const bouncers = useBouncers({ againMs: 30_000 });
  const asked = [system, providers, bouncers];
  const known = {
    findings: info?.findings,
    providers: providers.data,
    bouncers: bouncers.data,
    passwordIsGenerated,
  };
  return (
    <Page title={t('app.screen.overview')}>
      <Health
        warnings={warningsOf(known, t, i18n.language)}
        isKnown={asked.every(({ isSuccess }) => isSuccess)}
        error={asked.find(({ isError }) => isError)?.error ?? null}
        retry={() => {
          for (const { isError, refetch } of asked) if (isError) void refetch();
        }}
      />
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
        <Calls />
        <Phones />
        <Providers providers={providers.data} isFailed={providers.isError} />
        <Bans total={info?.records?.bans} isFailed={system.isError || info?.records === null} />
        <Bouncers bouncers={bouncers.data} isFailed={bouncers.isError} />
        <System info={info} isFailed={system.isError} />
      </SimpleGrid>
      <LastDay zone={info?.clock.timezone} />
    </Page>
  );
}

interface MayFail {
  readonly isFailed: boolean;
}

function System({ info, isFailed }: MayFail & { readonly info: SystemInfo | undefined }) {
  const { t } = useTranslation();
  if (!info)
    return <Card title={t('app.screen.status')} to="/status" count={undefined} isFailed={isFailed} />;
  const { engine, stores } = info;
  return (
    <Card title={t('app.screen.status')} to="/status" count={null}>
      <Line
        tone={ENGINE_TONES[engine.state]}
        label={t('overview.engineIs', { state: t(`system.engineState.${engine.state}`) })}
        to="/status"
      />
      {stores.map(({ name, reachable }) => (
        <Line
          key={name}
          tone={reachable ? 'good' : 'bad'}
          label={t('overview.storeIs', {
            store: t(`system.store.${name === 'database' ? 'database' : 'keys'}`),
            state: t(reachable ? 'system.reachable' : 'system.unreachable'),
          })}
          to="/status"
        />
      ))}
    </Card>
  );
}

function Calls() {
  const { t } = useTranslation();
  const { data: calls, error } = useCallsNow();
  const isAway = error !== null && !isOffline(error);
  const talking = calls?.filter(({ answer }) => answer !== '').length ?? 0;
  return (
    <Card
      title={t('overview.callsNow')}
      to="/calls"
      count={calls?.length ?? (isAway ? null : undefined)}
      isFailed={error !== null}
    >
      {isAway && <Line tone="bad" label={t('overview.engineAway')} to="/status" />}
      {calls && calls.length > 0 && (
        <>
          <Line tone="busy" label={t('overview.talking')} count={talking} to="/calls" />
          <Line tone="warning" label={t('overview.ringing')} count={calls.length - talking} to="/calls" />
        </>
      )}
      {calls?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('overview.noCall')}
        </Text>
      )}
    </Card>
  );
}

function Phones() {
  const { t } = useTranslation();
  const { phones, isFailed } = usePhones();
  const away = phones && phones.total - phones.available - phones.unknown;
  return (
    <Card title={t('overview.phones')} to="/employees" count={phones?.total} isFailed={isFailed}>
      {phones?.total === 0 && <Line tone="off" label={t('overview.firstSteps')} to="/welcome" />}
      {phones !== undefined && phones.total > 0 && (
        <>
          <Line
            tone="good"
            label={t('overview.available')}
            count={phones.available}
            to="/employees"
            search={{ status: 'available' }}
          />
          <Line
            tone="off"
            label={t('overview.unavailable')}
            count={away ?? 0}
            to="/employees"
            search={{ status: 'unavailable' }}
          />
          {phones.unknown > 0 && (
            <Line
              tone="warning"
              label={t('overview.unknown')}
              count={phones.unknown}
              to="/employees"
              search={{ status: 'unknown' }}
            />
          )}
        </>
      )}
    </Card>
  );
}

function Providers({ providers, isFailed }: MayFail & Pick<Known, 'providers'>) {
  const { t } = useTranslation();
  const counted = GROUPS.map((group) => ({
    group,
    count: providers?.filter((provider) => groupOf(provider) === group).length ?? 0,
  }));
  return (
    <Card title={t('app.screen.providers')} to="/providers" count={providers?.length} isFailed={isFailed}>
      {providers?.length === 0 && <Line tone="off" label={t('overview.noProvider')} to="/providers" />}
      {counted
        .filter(({ count }) => count > 0)
        .map(({ group, count }) => (
          <Line
            key={group}
            tone={GROUP_TONES[group]}
            label={t(`overview.${group}`)}
            count={count}
            to="/providers"
            search={{ state: group }}
          />
        ))}
    </Card>
  );
}

function Bans({ total, isFailed }: MayFail & { readonly total: number | undefined }) {
  const { t } = useTranslation();
  const categories = useBanCategories(total);
  const listed = categories?.reduce((sum, [, count]) => sum + count, 0);
  return (
    <Card title={t('app.screen.bans')} to="/bans" count={listed ?? total} isFailed={isFailed}>
      {(listed ?? total) === 0 && (
        <Text size="sm" c="dimmed">
          {t('overview.nobodyBanned')}
        </Text>
      )}
      {categories?.map(([category, count]) => (
        <Line
          key={category}
          tone="warning"
          label={category.toUpperCase()}
          count={count}
          to="/bans"
          search={{ category }}
        />
      ))}
    </Card>
  );
}

function Bouncers({ bouncers, isFailed }: MayFail & Pick<Known, 'bouncers'>) {
  const { t } = useTranslation();
  return (
    <Card title={t('app.screen.bouncers')} to="/bouncers" count={bouncers?.length} isFailed={isFailed}>
      {bouncers?.length === 0 && <Line tone="off" label={t('overview.noBouncer')} to="/bouncers" />}
      {bouncers?.slice(0, 5).map(({ id, description, bouncer: { state } }) => (
        <Line
          key={id}
          tone={BOUNCER_TONES[state]}
          label={`${description || id}: ${t(`overview.bouncer.${state}`)}`}
          to="/bouncers"
        />
      ))}
    </Card>
  );
}
