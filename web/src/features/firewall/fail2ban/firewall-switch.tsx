import { Button, Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { Status } from '../../../ui/status.tsx';
import { offerUndo, sayFailed } from '../../../ui/undo.tsx';

const KEY = ['firewall', 'getList', { limit: 1 }];

async function turn(on: boolean): Promise<void> {
  await (on ? api.firewall.enable() : api.firewall.disable());
  await queryClient.invalidateQueries({ queryKey: ['firewall', 'getList'] });
}

export function FirewallSwitch() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: async () => (await api.firewall.getList({ limit: 1 })).data,
  });
  if (!data) return null;
  const isOn = data.firewallEnabled;

  async function change() {
    setBusy(true);
    try {
      await turn(!isOn);
      offerUndo(t(isOn ? 'fail2ban.switchedOff' : 'fail2ban.switchedOn'), () => turn(isOn));
    } catch (error) {
      sayFailed(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Paper withBorder p="md" maw={680} component="section" aria-label={t('fail2ban.firewall')}>
      <Group justify="space-between">
        <Group role="status">
          <Text fw={600}>{t('fail2ban.firewall')}</Text>
          <Status tone={isOn ? 'good' : 'off'} label={t(isOn ? 'fail2ban.on' : 'fail2ban.off')} />
        </Group>
        <Group gap="xs">
          <ApiCall method="POST" path={isOn ? '/firewall:disable' : '/firewall:enable'} />
          <Button variant="default" size="xs" loading={busy} onClick={() => void change()}>
            {t(isOn ? 'fail2ban.switchOff' : 'fail2ban.switchOn')}
          </Button>
        </Group>
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        {t('fail2ban.firewallHint')}
      </Text>
    </Paper>
  );
}
