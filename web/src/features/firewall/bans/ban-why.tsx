import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BanRow } from './ban-rows.ts';

interface BanWhyProps {
  readonly row: BanRow;
  /** Accounts with failed logins from there, as the exchange reports now. */
  readonly failing: readonly string[];
}

/** The reason of a ban: the service gives it for its own bans; for those of other programs, nobody does. */
export function BanWhy({ row: { category, reason }, failing }: BanWhyProps) {
  const { t } = useTranslation();
  const tried = reason && reason.failures > 0 ? reason.accounts : failing;
  return (
    <>
      <Text size="sm" lineClamp={2} maw={320}>
        {!reason && t(`bans.reason.${category}`)}
        {reason && reason.failures > 0 && t('bans.failures', { count: reason.failures })}
        {reason && reason.failures === 0 && t('bans.byHand', { by: reason.by })}
        {tried.length > 0 && <> {t('bans.tried', { accounts: tried.join(', ') })}</>}
      </Text>
      {reason && reason.note !== '' && (
        <Text size="xs" c="dimmed" lineClamp={2} maw={320} title={reason.note}>
          {reason.note}
        </Text>
      )}
    </>
  );
}
