import { Group, Skeleton, Text, UnstyledButton, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { CallCounts } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { api } from '../../../api/api.ts';
import { readWall } from '../../../ui/wall-time.tsx';
import { SEARCH } from './call-queries.ts';
import { type Days, wallNow } from './call-range.ts';
import { parseCallSearch, withFilter } from './call-search.ts';
import classes from './cdr.module.css';

type Outcome = Exclude<keyof CallCounts, 'at'>;

/** From the bottom up; each colour for the light and the dark scheme. */
const OUTCOMES: readonly { id: Outcome; disposition: string; colours: readonly [string, string] }[] = [
  { id: 'answered', disposition: 'ANSWERED', colours: ['#2f8f66', '#46b98a'] },
  { id: 'noAnswer', disposition: 'NO ANSWER', colours: ['#d08700', '#f0a63c'] },
  { id: 'busy', disposition: 'BUSY', colours: ['#1c6fb8', '#5aa7e8'] },
  { id: 'failed', disposition: 'FAILED', colours: ['#b3261e', '#ff8a80'] },
  { id: 'chanunavail', disposition: 'CHANUNAVAIL', colours: ['#6b7773', '#98a5a0'] },
];

interface CallChartProps {
  readonly days: Days;
  readonly zone: string;
  readonly q: string;
  readonly onDisposition: (q: string) => void;
}

/** How many calls of each day ended how, whatever is searched for among them. Its legend sets the filter. */
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
  // The list says what is wrong with the days.
  if (error || from === '' || from > to) return null;
  if (data?.every((count) => totalOf(count) === 0)) return null;
  const number = new Intl.NumberFormat(i18n.language);
  const sums = OUTCOMES.map(({ id }) => data?.reduce((sum, count) => sum + count[id], 0) ?? 0);
  const chosen = parseCallSearch(q).query.disposition;
  return (
    <figure aria-label={t(`cdr.chart.${by}`)} style={{ margin: 0 }}>
      {data ? <Bars counts={data} by={by} /> : <Skeleton className={classes.chart} />}
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
              <span
                className={classes.swatch}
                style={{ background: `light-dark(${colours[0]}, ${colours[1]})` }}
                aria-hidden
              />
              {t(`cdr.disposition.${disposition.replace(' ', '')}`)} {number.format(sums[index] ?? 0)}
            </Group>
          </UnstyledButton>
        ))}
      </Group>
    </figure>
  );
}

/** An open end is today; an open beginning is nothing that could be drawn. */
function bounds({ from, to }: Days, zone: string): Days {
  return { from, to: to || new Date(wallNow(Date.now(), zone)).toISOString().slice(0, 10) };
}

function Bars({ counts, by }: { readonly counts: readonly CallCounts[]; readonly by: 'hour' | 'day' }) {
  const { t, i18n } = useTranslation();
  const scheme = useComputedColorScheme('light');
  const { ref: sized, width } = useElementSize();
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!place.current || width === 0) return;
    const plot = new uPlot(options(width, scheme, by, i18n.language), stacked(counts), place.current);
    return () => plot.destroy();
  }, [counts, by, width, scheme, i18n.language]);

  const busiest = counts.toSorted((a, b) => totalOf(b) - totalOf(a))[0];
  return (
    <div
      ref={sized}
      role="img"
      aria-label={t('cdr.chart.most', {
        at: busiest?.at.slice(0, by === 'day' ? 10 : 16),
        count: busiest ? totalOf(busiest) : 0,
      })}
    >
      <div ref={place} className={classes.chart} />
    </div>
  );
}

const totalOf = (count: CallCounts): number => OUTCOMES.reduce((sum, { id }) => sum + count[id], 0);

/** uPlot draws each series from the ground up: the sums are drawn, the largest first. */
function stacked(counts: readonly CallCounts[]): uPlot.AlignedData {
  const times = counts.map(({ at }) => (readWall(at) ?? 0) / 1000);
  const sums = OUTCOMES.map((_, index) =>
    counts.map((count) => OUTCOMES.slice(0, index + 1).reduce((sum, { id }) => sum + count[id], 0)),
  );
  return [times, ...sums.reverse()];
}

function options(
  width: number,
  scheme: 'light' | 'dark',
  by: 'hour' | 'day',
  language: string,
): uPlot.Options {
  const colour = scheme === 'dark' ? '#a9b5b1' : '#56635f';
  const grid = { stroke: scheme === 'dark' ? '#333b38' : '#e3e8e6', width: 1 };
  const ofDay = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const ofHour = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
  const number = new Intl.NumberFormat(language);
  const step = by === 'hour' ? 3600 : 86_400;
  const paths = uPlot.paths.bars?.({ size: [0.8, 40], align: 0 });
  return {
    width,
    height: 170,
    legend: { show: false },
    cursor: { show: false },
    // Wall clock, held as if it were UTC.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    scales: { x: { time: true, range: (_, min, max) => [min - step / 2, max + step / 2] } },
    axes: [
      {
        stroke: colour,
        grid: { show: false },
        ticks: grid,
        incrs:
          by === 'hour'
            ? [3600, 7200, 10_800, 21_600, 43_200]
            : [1, 2, 5, 7, 14, 30, 60].map((n) => n * step),
        values: (_, splits) => splits.map((at) => (by === 'hour' ? ofHour : ofDay).format(at * 1000)),
      },
      {
        stroke: colour,
        grid,
        ticks: { show: false },
        size: 48,
        incrs: [1, 2, 5]
          .flatMap((n) => [0, 1, 2, 3, 4, 5, 6].map((power) => n * 10 ** power))
          .sort((a, b) => a - b),
        values: (_, splits) => splits.map((value) => number.format(value)),
      },
    ],
    series: [
      {},
      ...OUTCOMES.toReversed().map(({ id, colours }) => ({
        label: id,
        fill: colours[scheme === 'dark' ? 1 : 0],
        width: 0,
        points: { show: false },
        ...(paths && { paths }),
      })),
    ],
  };
}
