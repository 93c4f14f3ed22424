import i18next from 'i18next';
import { api } from '../../../api/api.ts';
import { offerUndo, say } from '../../../ui/undo.tsx';
import type { BanRow } from './ban-rows.ts';
import { banAgain, bansChanged } from './lift.ts';

/** Puts an address or range on the allow-list by a filter of its own; the undo takes it off and bans again what that lifted. */
export async function allowAddress(
  ip: string,
  lifted: readonly Pick<BanRow, 'value' | 'category' | 'until'>[] = [],
): Promise<void> {
  const [network = '', prefix] = ip.split('/');
  const { data, messages } = await api.firewall.create({
    network,
    subnet: prefix ?? (network.includes(':') ? 128 : 32),
    newer_block_ip: true,
    description: i18next.t('bans.allowedNote', { address: ip }),
  });
  await bansChanged();
  for (const warning of messages.warning) say(warning);
  offerUndo(i18next.t('bans.allowed', { address: ip }), async () => {
    await api.firewall.delete(data.id);
    // Only bans inside what was allowed are lifted by it.
    await banAgain(lifted.filter(({ value }) => value === ip));
    await bansChanged();
  });
}
