import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';

interface NoCallsProps {
  readonly isFiltered: boolean;
  readonly set: (changes: { q?: string; range?: string; page?: string }) => void;
}

/** Nothing was found, or there are no calls yet: offers the next step for either. */
export function NoCalls({ isFiltered, set }: NoCallsProps) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['cdr', 'getMetadata', { limit: 1 }],
    queryFn: async () => (await api.cdr.getMetadata({ limit: 1 })).data,
  });
  if (data && !data.hasRecords)
    return (
      <Stack align="center" gap="xs">
        <Text>{t('cdr.none.yet')}</Text>
        <Button variant="light" renderRoot={(props) => <Link to="/employees" {...props} />}>
          {t('cdr.none.employees')}
        </Button>
      </Stack>
    );
  return (
    <Stack align="center" gap="xs">
      <Text>{t('cdr.none.found')}</Text>
      <Group>
        {isFiltered && (
          <Button variant="default" onClick={() => set({ q: '', page: '' })}>
            {t('cdr.none.clear')}
          </Button>
        )}
        <Button variant="light" onClick={() => set({ range: '30d', page: '' })}>
          {t('cdr.range.30d')}
        </Button>
      </Group>
    </Stack>
  );
}
