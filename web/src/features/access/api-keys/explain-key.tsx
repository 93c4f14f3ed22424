import { Button, Group, List, Paper, Select, Stack, TextInput, Title } from '@mantine/core';
import type { KeyExplanation } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useAddress } from '../../../ui/address.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Status } from '../../../ui/status.tsx';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Whether this request would be admitted, and which check stops it (contract 34). */
export function ExplainKey({ id, isAsked }: { readonly id: string; readonly isAsked: boolean }) {
  const { t } = useTranslation();
  const { get, oneOf, set } = useAddress();
  const asked = { path: get('path'), method: oneOf('method', METHODS, 'GET'), address: get('address') };
  const [path, setPath] = useState(asked.path);
  const [method, setMethod] = useState<(typeof METHODS)[number]>(asked.method);
  const [address, setAddress] = useState(asked.address);
  const { address: from, ...rest } = asked;
  const query = { ...rest, ...(from !== '' && { address: from }) };
  const { data, error } = useQuery({
    queryKey: ['api-keys', 'explain', { id, ...query }],
    queryFn: async () => (await api.apiKeys.explain(id, query)).data,
    enabled: isAsked && asked.path !== '',
  });

  function ask(event: FormEvent) {
    event.preventDefault();
    set({ path: path.trim(), method, address: address.trim() });
  }

  return (
    <Paper withBorder p="md" component="section" aria-label={t('api-keys.explainTitle')}>
      <Title order={2} size="h5" mb="xs">
        {t('api-keys.explainTitle')}
      </Title>
      <form onSubmit={ask}>
        <Group align="flex-end" gap="xs">
          <Select
            label={t('api-keys.method')}
            data={[...METHODS]}
            value={method}
            onChange={(value) => setMethod((value ?? 'GET') as (typeof METHODS)[number])}
            allowDeselect={false}
            w={110}
          />
          <TextInput
            label={t('api-keys.path')}
            placeholder="/employees"
            value={path}
            onChange={({ currentTarget }) => setPath(currentTarget.value)}
          />
          <TextInput
            label={t('api-keys.address')}
            placeholder="192.0.2.7"
            value={address}
            onChange={({ currentTarget }) => setAddress(currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={path.trim() === ''}>
            {t('api-keys.explain')}
          </Button>
        </Group>
      </form>
      <div aria-live="polite">
        {asked.path !== '' && error && <Failure error={error} />}
        {asked.path !== '' && !error && data && <Answer answer={data} />}
      </div>
      {asked.path !== '' && (
        <ApiCall method="GET" path={`/api-keys/${id}:explain?${new URLSearchParams(query)}`} />
      )}
    </Paper>
  );
}

function Answer({ answer }: { readonly answer: KeyExplanation }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" mt="md">
      <Status
        tone={answer.admitted ? 'good' : 'bad'}
        label={t(answer.admitted ? 'api-keys.admitted' : 'api-keys.refused')}
      />
      <List size="sm" spacing={4} listStyleType="none">
        {answer.checks.map(({ check, passed, explanation }) => (
          <List.Item key={check}>
            <Group gap={6} component="span" display="inline-flex">
              <Status tone={passed ? 'good' : 'bad'} label={`${t(`api-keys.checks.${check}`)}:`} />
              <span>{explanation}</span>
            </Group>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
