import i18next from 'i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { offerUndo, say } from '../../../ui/undo.tsx';

export const filtersChanged = async (): Promise<void> => {
  await Promise.all(
    ['firewall', 'network-filters'].map((resource) =>
      queryClient.invalidateQueries({ queryKey: [resource] }),
    ),
  );
};

/** Adds an address or range to the allow-list, as a filter of its own; `alsoUndo` restores what that lifted. */
export async function allowAddress(
  ip: string,
  alsoUndo: () => Promise<unknown> = async () => {},
): Promise<void> {
  const [network = '', prefix] = ip.split('/');
  const { data, messages } = await api.firewall.create({
    network,
    subnet: prefix ?? (network.includes(':') ? 128 : 32),
    newer_block_ip: true,
    description: i18next.t('network-filters.allowedNote', { address: ip }),
  });
  await filtersChanged();
  for (const warning of messages.warning) say(warning);
  offerUndo(i18next.t('network-filters.allowed', { address: ip }), async () => {
    await api.firewall.delete(data.id);
    await alsoUndo();
    await filtersChanged();
  });
}
