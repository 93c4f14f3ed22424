import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayFailed } from '../../../ui/undo.tsx';
import { allowAddress } from './allow-address.ts';
import { useClientAddress } from './client-address.tsx';

/** So that nobody locks themselves out. Hidden if the service does not see the real address. */
export function AllowMyAddress() {
  const { t } = useTranslation();
  const { data } = useClientAddress();
  const [busy, setBusy] = useState(false);
  if (data?.verdict !== 'ip_visible') return null;

  async function allow(address: string) {
    setBusy(true);
    await allowAddress(address).catch(sayFailed);
    setBusy(false);
  }

  return (
    <Button variant="default" loading={busy} onClick={() => void allow(data.seen)}>
      {t('network-filters.allowMine', { address: data.seen })}
    </Button>
  );
}
