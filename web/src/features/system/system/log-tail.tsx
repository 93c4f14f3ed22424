import { Group, Select, Switch, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { Failure } from '../../../ui/failure.tsx';
import { LogLines } from '../../../ui/log-lines.tsx';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const SOURCES = ['service', 'engine'] as const;
const LINES = 300;
const FOLLOW_MS = 2000;

/** The last lines of both logs; while following, new ones appear by themselves. The filter is in the URL. */
export function LogTail({ zone }: { readonly zone: string | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search: Record<string, unknown> = useSearch({ strict: false });
  const level = LEVELS.find((one) => one === search.level) ?? 'info';
  const source = SOURCES.find((one) => one === search.source);
  const [typed, setTyped] = useState(typeof search.contains === 'string' ? search.contains : '');
  const [contains] = useDebouncedValue(typed.trim().slice(0, 200), 300);
  const [following, setFollowing] = useState(true);
  const asked = { lines: LINES, level, ...(source && { source }), ...(contains && { contains }) };
  const { data, error, refetch } = useQuery({
    queryKey: ['system', 'getLog', asked],
    queryFn: async () => (await api.system.getLog(asked)).data,
    placeholderData: keepPreviousData,
    refetchInterval: following ? FOLLOW_MS : false,
    staleTime: 0,
  });
  const set = (changes: Record<string, string | undefined>) =>
    void navigate({ to: '.', search: (now) => ({ ...now, ...changes }), replace: true });

  return (
    <>
      <Group align="flex-end">
        <Select
          label={t('system.logLevel')}
          value={level}
          onChange={(chosen) => set({ level: chosen ?? undefined })}
          data={LEVELS.map((one) => ({ value: one, label: t(`system.logLevels.${one}`) }))}
          allowDeselect={false}
          w={190}
        />
        <Select
          label={t('system.logSource')}
          value={source ?? ''}
          onChange={(chosen) => set({ source: chosen || undefined })}
          data={[
            { value: '', label: t('system.logSources.both') },
            ...SOURCES.map((one) => ({ value: one, label: t(`system.logSources.${one}`) })),
          ]}
          allowDeselect={false}
          w={190}
        />
        <TextInput
          label={t('system.logContains')}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            set({ contains: currentTarget.value || undefined });
          }}
          w={220}
        />
        <Switch
          label={t('system.logFollow')}
          checked={following}
          onChange={({ currentTarget }) => setFollowing(currentTarget.checked)}
          mb={8}
        />
      </Group>
      {error && !data ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <Text size="sm">{t('system.logEmpty')}</Text>
      ) : (
        <LogLines lines={data} label={t('system.log')} zone={zone} follow={following} />
      )}
    </>
  );
}
