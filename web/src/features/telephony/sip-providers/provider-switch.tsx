import { Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { offerUndo, sayFailed } from '../../../ui/undo.tsx';

interface ProviderSwitchProps {
  readonly id: string;
  readonly description: string;
  readonly disabled: boolean;
  readonly withWord?: boolean;
}

export const providersChanged = () => queryClient.invalidateQueries({ queryKey: ['sip-providers'] });

async function setDisabled(id: string, disabled: boolean): Promise<void> {
  await api.sipProviders.updateStatus(id, { disabled });
  await providersChanged();
}

/** Disables or enables a provider, and offers an undo. */
export function ProviderSwitch({ id, description, disabled, withWord }: ProviderSwitchProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);

  async function turn(off: boolean) {
    setBusy(true);
    try {
      await setDisabled(id, off);
      const done = t(off ? 'sip-providers.switchedOff' : 'sip-providers.switchedOn', { description });
      offerUndo(done, () => setDisabled(id, !off));
    } catch (error) {
      sayFailed(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Switch
      aria-label={t('sip-providers.inService', { description })}
      {...(withWord && { label: t('sip-providers.enabled') })}
      checked={!disabled}
      disabled={busy}
      onChange={({ currentTarget }) => void turn(!currentTarget.checked)}
    />
  );
}
