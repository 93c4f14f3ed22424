import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { FilterUser } from './use-filter-users.ts';

const NAMED = 3;

/** Empty until known: "nobody" would invite people to delete it. */
export function UsedBy({
  users,
  all = false,
}: {
  readonly users: readonly FilterUser[] | undefined;
  readonly all?: boolean;
}) {
  const { t } = useTranslation();
  if (!users) return null;
  if (users.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('network-filters.nobody')}
      </Text>
    );
  const shown = all ? users : users.slice(0, NAMED);
  return (
    <Stack gap={2}>
      {shown.map(({ kind, name, to }) => (
        <Anchor
          key={to}
          size="sm"
          lineClamp={2}
          maw={260}
          renderRoot={(props) => <Link {...props} to={to} />}
        >
          {t(`network-filters.user.${kind}`, { name })}
        </Anchor>
      ))}
      {users.length > shown.length && (
        <Text size="sm">{t('network-filters.more', { count: users.length - shown.length })}</Text>
      )}
    </Stack>
  );
}
