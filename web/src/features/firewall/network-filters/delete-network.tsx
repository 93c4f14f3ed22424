import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FirewallRecord } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { offerUndo, sayFailed } from '../../../ui/undo.tsx';
import { filtersChanged } from './allow-address.ts';
import { bodyOf, valuesOf } from './network-values.ts';

interface DeleteNetworkProps {
  readonly filter: FirewallRecord;
  /** Leaves the screen of the record, which cannot be fetched again. */
  readonly onDeleted?: () => Promise<void>;
}

/** Deletes, and offers to create it again. What is in use stays, with the service's explanation. */
export function DeleteNetwork({ filter, onDeleted }: DeleteNetworkProps) {
  const { t } = useTranslation();
  const [asking, ask] = useDisclosure(false);
  const name = filter.description || filter.permit;
  // Another program may have stored several networks in one filter, which the API cannot write.
  const canRestore = filter.network !== '' && /^[^\s,;]+$/.test(filter.permit);

  async function remove() {
    await api.firewall.delete(filter.id);
    await onDeleted?.();
    await filtersChanged();
    if (!canRestore) return;
    offerUndo(t('network-filters.deleted', { name }), async () => {
      await api.firewall.create(bodyOf(valuesOf(filter)));
      await filtersChanged();
    });
  }

  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('network-filters.deleteOf', { name })}
        onClick={() => (canRestore ? void remove().catch(sayFailed) : ask.open())}
      >
        {t('network-filters.delete')}
      </Button>
      <Confirm
        opened={asking}
        onClose={ask.close}
        title={t('network-filters.deleteOf', { name })}
        action={t('network-filters.delete')}
        onConfirm={remove}
      >
        <Text size="sm">{t('network-filters.notRestored')}</Text>
      </Confirm>
    </>
  );
}
