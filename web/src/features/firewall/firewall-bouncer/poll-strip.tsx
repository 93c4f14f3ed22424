import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../../ui/time.tsx';
import classes from './poll-strip.module.css';
import { pollsOf, WINDOW_MS } from './polls.ts';

const [WIDTH, HEIGHT] = [300, 24];

/**
 * The last five minutes, a stroke for each poll, so that gaps stand out. The service reports only the last poll
 * (contract 36), so earlier ones are unknown when the screen is opened, and it says so.
 */
export function PollStrip({ apiKey }: { readonly apiKey: string }) {
  const { t } = useTranslation();
  const now = useNow(5000);
  const polls = pollsOf(apiKey).filter((at) => now - at < WINDOW_MS);
  const path = polls
    .map((at) => Math.round(WIDTH - ((now - at) / WINDOW_MS) * WIDTH))
    .map((x) => `M${x} 2V${HEIGHT - 2}`)
    .join('');
  return (
    <figure className={classes.strip}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width="100%"
        height={HEIGHT}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('firewall-bouncer.polls', { count: polls.length })}
      >
        <path d={`M0 ${HEIGHT - 1}H${WIDTH}`} stroke="currentColor" strokeOpacity="0.3" />
        <path d={path} stroke="currentColor" strokeWidth="2" />
      </svg>
      <Text component="figcaption" size="xs" c="dimmed">
        {t('firewall-bouncer.stripBegins')}
      </Text>
    </figure>
  );
}
