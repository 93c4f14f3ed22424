import { Alert, Button, Group, List, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { Failure } from '../../../ui/failure.tsx';
import { clockTime } from '../../../ui/time.tsx';
import { liftableOf } from '../../firewall/bans/ban-rows.ts';
import { liftBans } from '../../firewall/bans/lift.ts';
import { durationSeconds } from './duration.ts';

interface WhyBlockedProps {
  readonly ip: string;
  /** The exchange refuses the phone because of that, whatever its secret is. */
  readonly isWithoutTls: boolean;
}

/** Whether the address is admitted at all, and if not, how to admit it. */
export function WhyBlocked({ ip, isWithoutTls }: WhyBlockedProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['firewall', 'explain', ip],
    queryFn: async () => (await api.firewall.explain({ ip })).data,
    staleTime: 0,
  });
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Loader size="xs" />;
  /** Only bans of this very address can be lifted here. */
  const own = liftableOf(data, dataUpdatedAt).filter(({ value }) => value === ip);

  const advice = isWithoutTls && data.verdict !== 'blocked' ? 'withoutTls' : data.verdict;

  async function letIn() {
    setBusy(true);
    await liftBans(own);
    setBusy(false);
  }

  return (
    <Alert color={data.verdict === 'blocked' ? 'red' : 'gray'} mt={4} role="status">
      <Text size="sm">{t(`employees.verdict.${advice}`, { ip })}</Text>
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
