import { Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { isNotFound } from '../../../api/errors.ts';
import { Failure } from '../../../ui/failure.tsx';
import { PhoneState } from './phone-state.tsx';
import { PhoneValues } from './phone-values.tsx';

interface ConnectPhoneProps {
  /** Whose phone; by default the first employee found. */
  readonly employee: string | undefined;
  readonly onEmployee: (id: string) => void;
  readonly onNobody: () => void;
  readonly onDone: () => void;
}

/** What to enter into a phone, and whether it has registered. */
export function ConnectPhone({ employee, onEmployee, onNobody, onDone }: ConnectPhoneProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [searched] = useDebouncedValue(typed, 200);
  const found = useQuery({
    queryKey: ['employees', 'getList', { search: searched, limit: 20 }],
    queryFn: async () => (await api.employees.getList({ search: searched, limit: 20 })).data.data,
    placeholderData: keepPreviousData,
  });
  const id = employee ?? found.data?.[0]?.id;
  const chosen = useQuery({
    queryKey: ['employees', 'getRecord', id],
    queryFn: async () => (await api.employees.getRecord(id ?? '')).data,
    enabled: id !== undefined,
  });
  const connection = useQuery({
    queryKey: ['sip', 'getConnection'],
    queryFn: async () => (await api.sip.getConnection()).data,
  });

  const failed = [found, connection].find(({ isError }) => isError);
  if (failed) return <Failure error={failed.error} retry={() => void failed.refetch()} />;
  const isNobody = found.data?.length === 0 && typed === '' && !chosen.data;
  if (isNobody || isNotFound(chosen.error))
    return (
      <Stack align="flex-start">
        <Text>{t('welcome.nobody')}</Text>
        <Group>
          <Button onClick={onNobody}>{t('welcome.toEmployee')}</Button>
          <Button variant="default" onClick={onDone}>
            {t('welcome.skip')}
          </Button>
        </Group>
      </Stack>
    );
  const labelOf = ({ number, user_username }: { number: string; user_username: string }) =>
    `${number} ${user_username}`;
  const choices = [...(chosen.data ? [chosen.data] : []), ...(found.data ?? [])];
  const options = new Map(choices.map((one) => [one.id, { value: one.id, label: labelOf(one) }]));
  return (
    <Stack>
      <Select
        label={t('welcome.whose')}
        data={[...options.values()]}
        filter={({ options: all }) => all}
        value={chosen.data?.id ?? null}
        onChange={(next) => next && onEmployee(next)}
        searchable
        onSearchChange={(text) => setTyped(chosen.data && text === labelOf(chosen.data) ? '' : text)}
        allowDeselect={false}
        maw={360}
      />
      {chosen.data && connection.data ? (
        <>
          <PhoneValues employee={chosen.data} connection={connection.data} />
          <PhoneState number={chosen.data.number} />
        </>
      ) : (
        <Skeleton height={320} />
      )}
      <Group>
        <Button variant="default" onClick={onDone}>
          {t('welcome.done')}
        </Button>
      </Group>
    </Stack>
  );
}
