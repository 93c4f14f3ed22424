import { Button, Center, Group, Paper, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { useAddress } from '../../../ui/address.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Verdict } from './verdict.tsx';

/** The most frequent question: is this address blocked, by what, and who enforces it? */
export function Explain() {
  const { t } = useTranslation();
  const { get, set } = useAddress();
  const asked = get('explain').trim();
  const [typed, setTyped] = useState(asked);
  const { data, error, isFetching } = useQuery({
    queryKey: ['firewall', 'explain', { ip: asked }],
    queryFn: async () => {
      const { data: explanation } = await api.firewall.explain({ ip: asked });
      return { explanation, at: Date.now() };
    },
    enabled: asked !== '',
    refetchInterval: useFallbackInterval(),
  });

  function ask(event: FormEvent) {
    event.preventDefault();
    set({ explain: typed.trim() });
  }

  return (
    <Paper withBorder p="md" component="section" aria-label={t('bans.explainTitle')}>
      <form onSubmit={ask}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('bans.explainTitle')}
            placeholder="203.0.113.7"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            miw={260}
          />
          <Button
            type="submit"
            variant="default"
            loading={isFetching && !data}
            disabled={typed.trim() === ''}
          >
            {t('bans.explain')}
          </Button>
          {asked !== '' && (
            <>
              <Button variant="subtle" color="gray" onClick={() => set({ explain: '' })}>
                {t('bans.explainClear')}
              </Button>
              <Center h={36}>
                <ApiCall method="GET" path={`/firewall:explain?ip=${encodeURIComponent(asked)}`} />
              </Center>
            </>
          )}
        </Group>
      </form>
      <div aria-live="polite">
        {asked !== '' && error && <Failure error={error} />}
        {asked !== '' && !error && data && <Verdict {...data} />}
      </div>
    </Paper>
  );
}
