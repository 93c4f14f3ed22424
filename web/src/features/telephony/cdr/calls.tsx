import { Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useExchangeZone } from '../../../api/use-exchange-zone.ts';
import { Failure } from '../../../ui/failure.tsx';
import { Page } from '../../../ui/page.tsx';
import { CallHistory } from './call-history.tsx';
import { LiveCalls } from './live-calls.tsx';

/** Calls: those under way on top, the history below. */
export function Calls() {
  const { t } = useTranslation();
  const { data: zone, error, refetch } = useExchangeZone();
  if (error)
    return (
      <Page title={t('cdr.title')}>
        <Failure error={error} retry={() => void refetch()} />
      </Page>
    );
  return (
    <Page title={t('cdr.title')}>
      {zone === undefined ? (
        <Stack aria-busy="true">
          <Skeleton height={80} />
          <Skeleton height={300} />
        </Stack>
      ) : (
        <>
          <Text size="sm" c="dimmed" mt={-12}>
            {t('cdr.zone', { zone })}
          </Text>
          <LiveCalls zone={zone} />
          <CallHistory zone={zone} />
        </>
      )}
    </Page>
  );
}
