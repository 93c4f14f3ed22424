import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { clockTime, useNow } from '../../../ui/time.tsx';

const DAY_MS = 86_400_000;

/** Counts down; days are shown separately. */
export function TimeLeft({ until }: { readonly until: number }) {
  const { t, i18n } = useTranslation();
  const left = until - useNow();
  if (until === Infinity) return <Text size="sm">{t('bans.noEnd')}</Text>;
  const days = Math.floor(Math.max(0, left) / DAY_MS);
  const format = new Intl.NumberFormat(i18n.language, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  return (
    <span className="digits">
      {days > 0 && `${format.format(days)} `}
      {clockTime((left - days * DAY_MS) / 1000)}
    </span>
  );
}
