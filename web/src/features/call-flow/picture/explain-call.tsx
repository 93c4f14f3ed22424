import { Alert, Button, Group, List, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import type { ExplainedCall } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useAddress } from '../../../ui/address.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { Failure } from '../../../ui/failure.tsx';

const FIELDS = ['number', 'provider', 'caller', 'at', 'digits'] as const;
type Asked = Record<(typeof FIELDS)[number], string>;

/** Chosen so that all fit in one line of a wide window. */
const WIDTHS: Readonly<Record<keyof Asked, number>> = {
  number: 140,
  provider: 230,
  caller: 140,
  at: 205,
  digits: 110,
};

/** "Somebody calls this number on Saturday at ten": shows what would happen, without calling. */
export function ExplainCall() {
  const { t } = useTranslation();
  const { get, set } = useAddress();
  const asked = Object.fromEntries(FIELDS.map((name) => [name, get(name)])) as Asked;
  const isAsked = get('explain') === '1';
  const [typed, setTyped] = useState(asked);
  // Back and forward change the question: text entered since then is discarded.
  const question = FIELDS.map((name) => asked[name]).join('\n');
  const [known, setKnown] = useState(question);
  if (known !== question) {
    setKnown(question);
    setTyped(asked);
  }
  const query = Object.fromEntries(
    FIELDS.flatMap((name) => (asked[name] ? [[name, sent(name, asked[name])]] : [])),
  );
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['incoming-routes', 'explain', query],
    queryFn: async () => (await api.incomingRoutes.explain(query)).data,
    enabled: isAsked,
    // Without a time, it is about now, and free phones change by the second.
    staleTime: 0,
  });

  const { data: providers = [] } = useQuery({
    queryKey: ['sip-providers', 'getList'],
    queryFn: async () => (await api.sipProviders.getList({ includeDisabled: true })).data,
    select: choicesOf,
  });

  function ask(event: FormEvent) {
    event.preventDefault();
    // The URL does not change, so nothing would be fetched.
    if (isAsked && FIELDS.every((name) => typed[name] === asked[name])) return void refetch();
    set({ ...typed, explain: '1' });
  }

  const field = (name: keyof Asked, type: string, placeholder: string) => (
    <TextInput
      label={t(`picture.explain.${name}`)}
      type={type}
      w={{ base: '100%', xs: WIDTHS[name] }}
      placeholder={placeholder}
      value={typed[name]}
      onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
    />
  );

  return (
    <Paper withBorder p="md" component="section" aria-label={t('picture.explain.title')}>
      <form onSubmit={ask}>
        <Text fw={600} mb="xs">
          {t('picture.explain.title')}
        </Text>
        <Group align="flex-end" gap="xs">
          {field('number', 'text', '4930111')}
          <Select
            label={t('picture.explain.provider')}
            w={{ base: '100%', xs: WIDTHS.provider }}
            allowDeselect={false}
            value={typed.provider}
            data={[{ value: '', label: t('picture.explain.anyProvider') }, ...providers]}
            onChange={(provider) => setTyped({ ...typed, provider: provider ?? '' })}
          />
          {field('caller', 'text', '+4917012345')}
          {field('at', 'datetime-local', '')}
          {field('digits', 'text', '1,t')}
          <Button type="submit" variant="default" loading={isFetching}>
            {t('picture.explain.ask')}
          </Button>
          <ApiCall method="GET" path={`/incoming-routes:explain?${new URLSearchParams(query)}`} />
        </Group>
      </form>
      <div aria-live="polite">
        {isAsked && error && <Failure error={error} />}
        {isAsked && !error && data && <Explanation call={data} />}
      </div>
    </Paper>
  );
}

const choicesOf = (providers: readonly { readonly id: string; readonly description: string }[]) =>
  providers.map(({ id, description }) => ({ value: id, label: description || id }));

/** The browser's input omits seconds that are zero. */
const sent = (name: keyof Asked, value: string): string =>
  name === 'at' && /T\d\d:\d\d$/.test(value) ? `${value}:00` : value;

/** The service's sentences, in order. */
function Explanation({ call: { steps, rings, warnings, timezone } }: { readonly call: ExplainedCall }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" mt="md">
      {warnings.map((warning) => (
        <Alert key={warning} color="yellow" p="xs">
          <bdi>{warning}</bdi>
        </Alert>
      ))}
      <List type="ordered" size="sm" spacing={4}>
        {steps.map(({ n, text, after }) => (
          <List.Item key={n}>
            <bdi>{text}</bdi>{' '}
            {after > 0 && (
              <Text span size="xs" c="dimmed">
                {t('picture.explain.after', { count: after })}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
      {rings.length > 0 && (
        <List size="sm" spacing={4} aria-label={t('picture.explain.rings')}>
          {rings.map(({ number, name, from, to, state, via }) => (
            <List.Item key={`${via} ${number} ${from}`}>
              <bdi>{name === '' ? number : `${name} <${number}>`}</bdi>{' '}
              <Text span size="xs" c="dimmed">
                {t('picture.explain.ring', {
                  from,
                  to,
                  state: t(`picture.explain.state.${state.toLowerCase()}`),
                })}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
      <Text size="xs" c="dimmed">
        {t('picture.explain.zone', { timezone })}
      </Text>
    </Stack>
  );
}
