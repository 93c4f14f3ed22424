import { Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../../ui/failure.tsx';
import { readWall } from '../../../ui/wall-time.tsx';
import { withFilter } from '../../telephony/cdr/call-search.ts';
import { callsOf, OUTCOMES, Swatch, seriesOf } from '../../telephony/cdr/outcomes.tsx';
import { FilterLink } from './filter-link.tsx';
import { useLastDay } from './overview-data.ts';

/** The chart loads later: the numbers beside it say the same. */
const StackedBars = lazy(async () => ({
  default: (await import('../../../ui/stacked-bars.tsx')).StackedBars,
}));

/** Outcomes of the calls of the last 24 hours, by the exchange's clock. */
export function LastDay({ zone }: { readonly zone: string | undefined }) {
  const { t, i18n } = useTranslation();
  const { data, error, refetch } = useLastDay();
  const number = new Intl.NumberFormat(i18n.language);
  const total = data?.reduce((sum, hour) => sum + callsOf(hour), 0);
  const series = useMemo(() => seriesOf(data ?? []), [data]);
  const times = useMemo(() => data?.map(({ at }) => readWall(at) ?? 0) ?? [], [data]);
  const days = {
    range: 'own',
    from: data?.[0]?.at.slice(0, 10) ?? '',
    to: data?.at(-1)?.at.slice(0, 10) ?? '',
  };
  return (
    <Paper withBorder p="md" component="section">
      <Group justify="space-between" align="baseline" mb="xs">
        <Title order={2} size="h5">
          <FilterLink to="/calls" search={days} inherit>
            {t('overview.lastDay')}
          </FilterLink>
        </Title>
        <Text size="xs" c="dimmed">
          {zone && t('overview.zone', { zone })}
        </Text>
      </Group>
      {error && !data ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Suspense fallback={<Skeleton height={180} />}>
          {data ? (
            <StackedBars
              times={times}
              by="hour"
              series={series}
              label={t('overview.lastDayPicture', { count: total ?? 0 })}
            />
          ) : (
            <Skeleton height={180} />
          )}
        </Suspense>
      )}
      <Group gap="md" mt="xs" mih={22}>
        {data &&
          OUTCOMES.map(({ id, disposition, colours }) => (
            <FilterLink
              key={id}
              to="/calls"
              search={{ ...days, q: withFilter('', 'disposition', disposition) }}
              size="sm"
            >
              <Group gap={6} component="span" wrap="nowrap">
                <Swatch colours={colours} />
                {t(`overview.disposition.${id}`)}{' '}
                {number.format(data.reduce((sum, hour) => sum + hour[id], 0))}
              </Group>
            </FilterLink>
          ))}
      </Group>
    </Paper>
  );
}
