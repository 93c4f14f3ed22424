import { Group, Skeleton, Text, UnstyledButton } from '@mantine/core';
import type { CallCounts } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { CHART_HEIGHT, StackedBars } from '../../../ui/stacked-bars.tsx';
import { readWall } from '../../../ui/wall-time.tsx';
import { SEARCH } from './call-queries.ts';
import { type Days, wallNow } from './call-range.ts';
import { parseCallSearch, withFilter } from './call-search.ts';
import { callsOf, OUTCOMES, Swatch, seriesOf } from './outcomes.tsx';

interface CallChartProps {
  readonly days: Days;
  readonly zone: string;
  readonly q: string;
  readonly onDisposition: (q: string) => void;
}

/** Number of calls per day and outcome, regardless of the search. Its legend sets the filter. */
export function CallChart({ days, zone, q, onDisposition }: CallChartProps) {
  const { t, i18n } = useTranslation();
  const { from, to } = bounds(days, zone);
  const span = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  const by = span <= 2 ? 'hour' : 'day';
  const isSearch = span > 31;
  const { data, error } = useQuery({
    ...(isSearch ? SEARCH : {}),
    queryKey: [isSearch ? 'cdr-search' : 'cdr', 'getStats', { from, to, by }],
    queryFn: async () => (await api.cdr.getStats({ dateFrom: from, dateTo: to, by })).data,
    enabled: from !== '' && from <= to,
  });
  // The list reports what is wrong with the days.
  if (error || from === '' || from > to) return null;
  if (data?.every((count) => callsOf(count) === 0)) return null;
  const number = new Intl.NumberFormat(i18n.language);
  const sums = OUTCOMES.map(({ id }) => data?.reduce((sum, count) => sum + count[id], 0) ?? 0);
  const chosen = parseCallSearch(q).query.disposition;
  return (
    <figure aria-label={t(`cdr.chart.${by}`)} style={{ margin: 0 }}>
      {data ? <Bars counts={data} by={by} /> : <Skeleton height={CHART_HEIGHT} />}
      <Group component="figcaption" gap="4px 16px" mt={4}>
        <Text size="sm" c="dimmed">
          {t(`cdr.chart.${by}`)}
        </Text>
        {OUTCOMES.map(({ id, disposition, colours }, index) => (
          <UnstyledButton
            key={id}
            fz="sm"
            aria-pressed={chosen === disposition}
            fw={chosen === disposition ? 700 : 400}
            onClick={() =>
              onDisposition(withFilter(q, 'disposition', chosen === disposition ? '' : disposition))
            }
          >
            <Group gap={6} wrap="nowrap" component="span">
              <Swatch colours={colours} />
              {t(`cdr.disposition.${disposition.replace(' ', '')}`)} {number.format(sums[index] ?? 0)}
            </Group>
          </UnstyledButton>
        ))}
      </Group>
    </figure>
  );
}

/** An open end is today; an open beginning cannot be drawn. */
function bounds({ from, to }: Days, zone: string): Days {
  return { from, to: to || new Date(wallNow(Date.now(), zone)).toISOString().slice(0, 10) };
}

function Bars({ counts, by }: { readonly counts: readonly CallCounts[]; readonly by: 'hour' | 'day' }) {
  const { t } = useTranslation();
  const times = useMemo(() => counts.map(({ at }) => readWall(at) ?? 0), [counts]);
  const series = useMemo(() => seriesOf(counts), [counts]);
  const busiest = counts.toSorted((a, b) => callsOf(b) - callsOf(a))[0];
  const label = t('cdr.chart.most', {
    at: busiest?.at.slice(0, by === 'day' ? 10 : 16),
    count: busiest ? callsOf(busiest) : 0,
  });
  return <StackedBars times={times} by={by} series={series} label={label} />;
}
