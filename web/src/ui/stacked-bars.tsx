import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface BarSeries {
  readonly label: string;
  readonly values: readonly number[];
  /** For the light and the dark scheme. */
  readonly colours: readonly [string, string];
}

interface StackedBarsProps {
  /** Wall-clock times of the exchange in milliseconds, as if they were UTC. */
  readonly times: readonly number[];
  readonly by: 'hour' | 'day';
  /** From the bottom up. */
  readonly series: readonly BarSeries[];
  /** A description for screen readers. */
  readonly label: string;
}

export const CHART_HEIGHT = 180;

const SECONDS = { hour: 3600, day: 86_400 };
/** Steps between the labels below, in whole bars. */
const MARKS = { hour: [1, 2, 3, 6, 12], day: [1, 2, 5, 7, 14, 30, 60] };

/** Counts over time, stacked. It is only a picture: controls are beside it. */
export function StackedBars({ times, by, series, label }: StackedBarsProps) {
  const { i18n } = useTranslation();
  const scheme = useComputedColorScheme('light');
  const { ref: sized, width } = useElementSize();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current || width === 0) return;
    const options = optionsOf({ width, scheme, language: i18n.language, by, series });
    const plot = new uPlot(options, stackedOf(times, series), place.current);
    return () => plot.destroy();
  }, [times, by, series, width, scheme, i18n.language]);
  return (
    <div ref={sized} role="img" aria-label={label}>
      <div ref={place} style={{ height: CHART_HEIGHT }} />
    </div>
  );
}

/** uPlot draws each series from zero: so the sums are drawn, the largest first. */
function stackedOf(times: readonly number[], series: readonly BarSeries[]): uPlot.AlignedData {
  const sums = series.map((_, index) =>
    times.map((_time, at) =>
      series.slice(0, index + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
    ),
  );
  return [times.map((ms) => ms / 1000), ...sums.reverse()];
}

interface Look {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
  readonly language: string;
  readonly by: 'hour' | 'day';
  readonly series: readonly BarSeries[];
}

function optionsOf({ width, scheme, language, by, series }: Look): uPlot.Options {
  const stroke = scheme === 'dark' ? '#a9b5b1' : '#56635f';
  const grid = { stroke: scheme === 'dark' ? '#333b38' : '#e3e8e6', width: 1 };
  const time = new Intl.DateTimeFormat(language, {
    ...(by === 'hour'
      ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : { day: 'numeric', month: 'short' }),
    timeZone: 'UTC',
  });
  const step = SECONDS[by];
  const number = new Intl.NumberFormat(language);
  const paths = uPlot.paths.bars?.({ size: [0.8, 40] });
  return {
    width,
    height: CHART_HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    scales: {
      x: { range: (_, min, max) => [min - step / 2, max + step / 2] },
      // A day without calls is a line at the bottom, not in the middle.
      y: { range: (_, __, max) => [0, Math.max(4, max)] },
    },
    axes: [
      {
        stroke,
        grid: { show: false },
        ticks: grid,
        incrs: MARKS[by].map((bars) => bars * step),
        values: (_, splits) => splits.map((at) => time.format(at * 1000)),
      },
      {
        stroke,
        grid,
        ticks: { show: false },
        size: 48,
        // No fractions of calls.
        incrs: [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].flatMap((n) => [n, 2 * n, 5 * n]),
        values: (_, splits) => splits.map((value) => number.format(value)),
      },
    ],
    series: [
      {},
      ...series.toReversed().map(({ label, colours }) => ({
        label,
        fill: colours[scheme === 'dark' ? 1 : 0],
        width: 0,
        points: { show: false },
        ...(paths && { paths }),
      })),
    ],
  };
}
