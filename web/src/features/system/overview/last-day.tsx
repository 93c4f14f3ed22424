import { Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import type { CallCounts } from '@pbxcore/client';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../../ui/failure.tsx';
import { FilterLink } from './filter-link.tsx';
import { useLastDay } from './overview-data.ts';

/** The chart comes after the rest: the numbers beside it say the same. */
const StackedBars = lazy(async () => ({
  default: (await import('../../../ui/stacked-bars.tsx')).StackedBars,
}));

/** From the bottom up, with the colours of the light and the dark scheme. */
const OUTCOMES = [
  { id: 'answered', disposition: 'ANSWERED', colours: ['#2f8f66', '#46b98a'] },
  { id: 'noAnswer', disposition: 'NOANSWER', colours: ['#d08700', '#f0a63c'] },
  { id: 'busy', disposition: 'BUSY', colours: ['#1c6fb8', '#5aa7e8'] },
  { id: 'failed', disposition: 'FAILED', colours: ['#b3261e', '#ff8a80'] },
  { id: 'chanunavail', disposition: 'CHANUNAVAIL', colours: ['#6b7773', '#98a5a0'] },
] as const;

const HOUR_MS = 3_600_000;
const wallMs = (at: string): number => Date.parse(`${at.slice(0, 19).replace(' ', 'T')}Z`);

/** What became of the calls of the last 24 hours, by the exchange's clock. */
export function LastDay({ zone }: { readonly zone: string | undefined }) {
  const { t, i18n } = useTranslation();
  const { data, error, refetch } = useLastDay();
  const number = new Intl.NumberFormat(i18n.language);
  const total = data?.reduce((sum, hour) => sum + callsOf(hour), 0);
  const series = useMemo(
    () =>
      OUTCOMES.map(({ id, colours }) => ({
        label: id,
        colours,
        values: data?.map((hour) => hour[id]) ?? [],
      })),
    [data],
  );
  const times = useMemo(() => data?.map(({ at }) => wallMs(at)) ?? [], [data]);
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
              stepMs={HOUR_MS}
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
            <FilterLink key={id} to="/calls" search={{ ...days, q: `disposition:${disposition}` }} size="sm">
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

const callsOf = (hour: CallCounts): number => OUTCOMES.reduce((sum, { id }) => sum + hour[id], 0);

/** Both colours; the scheme shows one of them. */
function Swatch({ colours: [light, dark] }: { readonly colours: readonly [string, string] }) {
  return (
    <svg width={10} height={10} aria-hidden>
      <rect width={10} height={10} fill={light} className="light-only" />
      <rect width={10} height={10} fill={dark} className="dark-only" />
    </svg>
  );
}
