import type { ProviderStatus } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { useExchangeZone } from '../../../api/use-exchange-zone.ts';
import { useNow } from '../../../ui/time.tsx';
import { type Segment, segmentsOf, totalsOf } from './history.ts';
import classes from './history-strip.module.css';
import { TONES } from './provider-state.tsx';

const HEIGHTS = { good: 8, busy: 8, warning: 14, bad: 20, off: 4 } as const;
const MOST_CHANGES = 1000;

export function useHistory(id: string) {
  return useQuery({
    queryKey: ['sip-providers', 'getHistory', id],
    queryFn: async () => (await api.sipProviders.getHistory(id, { limit: MOST_CHANGES })).data,
    refetchInterval: useFallbackInterval(),
  });
}

export function useStats(id: string, enabled = true) {
  return useQuery({
    queryKey: ['sip-providers', 'getStats', id],
    queryFn: async () => (await api.sipProviders.getStats(id)).data,
    enabled,
  });
}

interface HistoryStripProps {
  readonly status: ProviderStatus;
  readonly hours: number;
}

/** The states of the last hours as a strip, from left to right; the same in words for screen readers. */
export function HistoryStrip({ status, hours }: HistoryStripProps) {
  const { data } = useHistory(status.id);
  const to = Math.floor(useNow(30_000) / 1000);
  const from = to - hours * 3600;
  const words = useWords();
  // When the provider was created only matters if its very first change is on the strip.
  const isYoung =
    data !== undefined && data.count < data.limit && (data.events.at(-1)?.timestamp ?? 0) > from;
  const { data: stats } = useStats(status.id, isYoung);
  if (!data || (isYoung && !stats)) return <svg className={classes.strip} height={20} aria-hidden="true" />;
  const segments = segmentsOf(data, status, from, to, stats?.period.from);
  const scale = 1000 / (to - from);
  return (
    <svg
      className={classes.strip}
      height={20}
      viewBox="0 0 1000 20"
      preserveAspectRatio="none"
      role="img"
      aria-label={words.whole(segments, hours)}
    >
      {segments.map((segment) => {
        const tone = TONES[segment.state];
        // Short ones would be invisible.
        const width = Math.max(8, (segment.to - segment.from) * scale);
        return (
          <rect
            key={segment.from}
            data-tone={tone}
            x={Math.min(1000 - width, (segment.from - from) * scale)}
            width={width}
            y={20 - HEIGHTS[tone]}
            height={HEIGHTS[tone]}
          >
            <title>{words.one(segment)}</title>
          </rect>
        );
      })}
    </svg>
  );
}

function useWords() {
  const { t, i18n } = useTranslation();
  const { data: zone } = useExchangeZone();
  const time = new Intl.DateTimeFormat(i18n.language, {
    dateStyle: 'short',
    timeStyle: 'short',
    ...(zone && { timeZone: zone }),
  });
  const share = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  const word = (state: Segment['state']) => t(`sip-providers.state.${state}`);
  return {
    one: ({ state, from, to }: Segment) =>
      `${word(state)}: ${time.format(from * 1000)} – ${time.format(to * 1000)}`,
    whole(segments: readonly Segment[], hours: number) {
      const parts = totalsOf(segments).map(
        ({ state, seconds }) => `${word(state)} ${share.format(seconds / (hours * 3600))}`,
      );
      return t('sip-providers.stripWords', { count: hours, states: parts.join(', ') });
    },
  };
}
