import { Alert, Code, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { Status } from '../../../ui/status.tsx';

const SHOWN = 20;

/** Unreadable addresses written by others: they ban nobody, which somebody should know (contract 8.3). */
export function Unreadable() {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['firewall', 'getList', { limit: 1 }],
    queryFn: async () => (await api.firewall.getList({ limit: 1 })).data,
  });
  const entries = data?.invalidEntries ?? [];
  if (entries.length === 0) return null;
  return (
    <Alert
      variant="default"
      title={<Status tone="warning" label={t('bans.unreadable', { count: entries.length })} />}
    >
      <Text size="sm" mb="xs">
        {t('bans.unreadableHint')}
      </Text>
      <List size="sm">
        {entries.slice(0, SHOWN).map(({ source, text }) => (
          <List.Item key={`${source} ${text}`}>
            <Code>{text || source}</Code> {text && t('bans.writtenIn', { source })}
          </List.Item>
        ))}
      </List>
      {entries.length > SHOWN && (
        <Text size="sm">{t('bans.unreadableMore', { count: entries.length - SHOWN })}</Text>
      )}
    </Alert>
  );
}
