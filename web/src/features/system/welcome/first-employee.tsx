import { Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Form } from '../../../ui/form.tsx';
import { useSending } from '../../../ui/sending.ts';
import { say } from '../../../ui/undo.tsx';

const FIELDS = ['number', 'user_username'] as const;

interface FirstEmployeeProps {
  readonly already: number;
  readonly onCreated: (id: string) => void;
  readonly beside: ReactNode;
}

/** Only fields without a proposal; the rest is on the screen of the employee. */
export function FirstEmployee({ already, onCreated, beside }: FirstEmployeeProps) {
  const { t, i18n } = useTranslation();
  const cache = useQueryClient();
  const proposed = useQuery({
    queryKey: ['employees', 'getDefault'],
    queryFn: async () => (await api.employees.getDefault()).data,
    staleTime: 0,
  });
  const [name, setName] = useState('');
  const [typedNumber, setNumber] = useState<string>();
  const { busy, problems, send } = useSending(FIELDS);
  const number = typedNumber ?? proposed.data?.number ?? '';
  const secret = proposed.data?.sip_secret ?? '';
  const body = { number, user_username: name };

  const submit = () =>
    send(async () => {
      const { data } = await api.employees.create({ ...body, sip_secret: secret });
      await cache.invalidateQueries({ queryKey: ['employees'] });
      say(t('welcome.created', { name, number }));
      onCreated(data.id);
    });

  if (proposed.isError) return <Failure error={proposed.error} retry={() => void proposed.refetch()} />;
  const shown = new Intl.NumberFormat(i18n.language).format(already);
  return (
    <>
      <Text>
        {already > 0 ? t('welcome.employeesThere', { count: already, shown }) : t('welcome.employeeIntro')}
      </Text>
      <Form
        onSubmit={() => void submit()}
        busy={busy || proposed.isPending}
        problems={problems.rest}
        action={t('welcome.create')}
        beside={
          <>
            {beside}
            <ApiCall method="POST" path="/employees" body={{ ...body, sip_secret: '…' }} />
          </>
        }
      >
        <TextInput
          label={t('welcome.name')}
          value={name}
          error={problems.fields.user_username}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label={t('welcome.number')}
          value={number}
          error={problems.fields.number}
          onChange={({ currentTarget }) => setNumber(currentTarget.value)}
          inputMode="numeric"
          autoComplete="off"
          maw={160}
        />
      </Form>
    </>
  );
}
