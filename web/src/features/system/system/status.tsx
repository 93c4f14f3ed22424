import { Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../../ui/failure.tsx';
import { Page } from '../../../ui/page.tsx';
import { BackupButton } from './backup-button.tsx';
import { EngineState } from './engine-state.tsx';
import { Findings } from './findings.tsx';
import { LogTail } from './log-tail.tsx';
import { Section } from './section.tsx';
import { ServiceFacts } from './service-facts.tsx';
import { useSystemInfo } from './system-info.ts';

/** Findings of doctor, the service's environment, and its log (contract 35). */
export function StatusScreen() {
  const { t } = useTranslation();
  const { data: info, error, refetch } = useSystemInfo();
  return (
    <Page title={t('app.screen.status')} actions={<BackupButton />}>
      {error && !info && <Failure error={error} retry={() => void refetch()} />}
      {!info && !error && (
        <Stack aria-busy="true">
          <Skeleton height={120} />
          <Skeleton height={200} />
        </Stack>
      )}
      {info && (
        <>
          <Section title={t('system.findings')}>
            <Findings findings={info.findings} />
          </Section>
          <Section title={t('system.engine')}>
            <EngineState engine={info.engine} />
          </Section>
          <Section title={t('system.service')}>
            <ServiceFacts info={info} />
          </Section>
        </>
      )}
      <Section title={t('system.log')}>
        <LogTail zone={info?.clock.timezone} />
      </Section>
    </Page>
  );
}
