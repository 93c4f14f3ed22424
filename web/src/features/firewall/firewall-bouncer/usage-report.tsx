import { Text } from '@mantine/core';
import type { KeyBouncer } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { WallTime } from '../../../ui/wall-time.tsx';

const COUNTS = ['dropped_packets', 'dropped_bytes', 'dropped_requests', 'active_decisions'] as const;

/** What the bouncer itself reports, if anything. */
export function UsageReport({ bouncer: { usage, last_metrics_at: at } }: { readonly bouncer: KeyBouncer }) {
  const { t, i18n } = useTranslation();
  if (at === '') return null;
  const format = new Intl.NumberFormat(i18n.language);
  const counts = COUNTS.flatMap((name) => {
    const count = usage?.[name] ?? null;
    return count === null
      ? []
      : [t(`firewall-bouncer.usage.${name}`, { count, shown: format.format(count) })];
  });
  return (
    <Text size="sm">
      {t('firewall-bouncer.report')} <WallTime at={at} />
      {counts.length > 0 && `: ${counts.join(', ')}`}
    </Text>
  );
}
