import { Alert, Button, Group, List, Loader, Text } from '@mantine/core';
import type { Explanation } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Failure } from '../../../ui/failure.tsx';
import { clockTime } from '../../../ui/time.tsx';
import { offerUndo, say, sayFailed } from '../../../ui/undo.tsx';
import { durationSeconds } from './duration.ts';

type Ban = Explanation['bans'][number];
const CATEGORIES = ['sip', 'http', 'ami', 'iax'] as const;
const categoryOf = ({ scenario }: Ban) => CATEGORIES.find((name) => scenario === `pbx/${name}`);

/** Whether the address is let in at all, and if not, how to let it in. */
export function WhyBlocked({ ip }: { readonly ip: string }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['firewall', 'explain', ip],
    queryFn: async () => (await api.firewall.explain({ ip })).data,
    staleTime: 0,
  });
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Loader size="xs" />;
  /** Only what was written for this very address can be lifted here. */
  const own = data.bans.filter((ban) => ban.value === ip && categoryOf(ban));

  async function letIn() {
    setBusy(true);
    try {
      const { messages } = await api.firewall.unbanIp({ ip });
      await queryClient.invalidateQueries({ queryKey: ['firewall'] });
      for (const warning of messages.warning) say(warning);
      offerUndo(t('employees.letInDone', { ip }), () => banAgain(ip, own));
    } catch (problem) {
      sayFailed(problem);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Alert color={data.verdict === 'blocked' ? 'red' : 'gray'} mt={4} role="status">
      <Text size="sm">{t(`employees.verdict.${data.verdict}`, { ip })}</Text>
      {data.bans.length > 0 && (
        <List size="sm">
          {data.bans.map(({ id, value, scenario, duration }) => (
            <List.Item key={id}>
              {t('employees.ban', { value, scenario, time: clockTime(durationSeconds(duration)) })}
            </List.Item>
          ))}
        </List>
      )}
      <Group mt="xs">
        {own.length > 0 && (
          <Button size="compact-sm" loading={busy} onClick={() => void letIn()}>
            {t('employees.letIn')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

async function banAgain(ip: string, bans: readonly Ban[]): Promise<void> {
  for (const ban of bans) {
    const category = categoryOf(ban);
    const seconds = Math.max(1, durationSeconds(ban.duration));
    if (category) await api.firewall.banIp({ ip, category, seconds });
  }
  await queryClient.invalidateQueries({ queryKey: ['firewall'] });
}
