import { Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { fieldErrors } from '../../../api/errors.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Form } from '../../../ui/form.tsx';
import { say } from '../../../ui/undo.tsx';

const FIELDS = ['number', 'user_username'] as const;

interface FirstEmployeeProps {
  readonly already: number;
  readonly onCreated: (id: string) => void;
  readonly beside: ReactNode;
}

/** Only what nobody can propose is asked for; the rest is on the screen of the employee. */
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
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problems, setProblems] = useState<string[]>([]);
  const number = typedNumber ?? proposed.data?.number ?? '';
  const secret = proposed.data?.sip_secret ?? '';
  const body = { number, user_username: name };

  async function submit() {
    setBusy(true);
    setErrors({});
    setProblems([]);
    try {
      const { data } = await api.employees.create({ ...body, sip_secret: secret });
      await cache.invalidateQueries({ queryKey: ['employees'] });
      say(t('welcome.created', { name, number }));
      onCreated(data.id);
    } catch (error) {
      const { fields, rest } = fieldErrors(error, FIELDS);
      setErrors(fields);
      setProblems(rest);
    } finally {
      setBusy(false);
    }
  }

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
        problems={problems}
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
          error={errors.user_username}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label={t('welcome.number')}
          value={number}
          error={errors.number}
          onChange={({ currentTarget }) => setNumber(currentTarget.value)}
          inputMode="numeric"
          autoComplete="off"
          maw={160}
        />
      </Form>
    </>
  );
}
