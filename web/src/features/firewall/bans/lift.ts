import i18next from 'i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { offerUndo, say, sayFailed } from '../../../ui/undo.tsx';
import type { BanRow, Category } from './ban-rows.ts';

/** The service's maximum. A ban without an end was made by others: it can only be restored for this long. */
const LONGEST_SECONDS = 31_536_000;
/** How many requests run at once: each waits for the store. */
const TOGETHER = 8;

type Lifted = Pick<BanRow, 'value' | 'category' | 'until'> & Partial<Pick<BanRow, 'reason'>>;

export const bansChanged = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['firewall'] });

/** Lifts bans, and offers to restore them for the remaining time. */
export async function liftBans(rows: readonly Lifted[]): Promise<void> {
  const lifted: Lifted[] = [];
  const warnings = new Set<string>();
  try {
    await inTurns(rows, async (row) => {
      const { messages } = await api.firewall.unbanIp({ ip: row.value, category: row.category });
      lifted.push(row);
      for (const warning of messages.warning) warnings.add(warning);
    });
  } catch (error) {
    sayFailed(error);
  }
  await bansChanged();
  for (const warning of [...warnings].slice(0, 5)) say(warning);
  if (lifted.length === 0) return;
  const [first] = lifted;
  const text =
    lifted.length === 1
      ? i18next.t('bans.lifted', { address: first?.value })
      : i18next.t('bans.liftedMany', { count: lifted.length });
  offerUndo(text, () => banAgain(lifted));
}

export async function banAgain(rows: readonly Lifted[]): Promise<void> {
  await inTurns(rows, async ({ value, category, until, reason }) => {
    const seconds = Math.min(LONGEST_SECONDS, Math.ceil((until - Date.now()) / 1000));
    // A very wide ban was confirmed when it was made.
    const note = reason?.note ?? '';
    if (seconds > 0) await api.firewall.banIp({ ip: value, category, seconds, confirm: true, note });
  });
  await bansChanged();
}

/** Offers to lift a new ban; that does not restore a longer ban from before. */
export function banned(ip: string, category: Category): void {
  offerUndo(i18next.t('bans.banned', { address: ip }), async () => {
    await api.firewall.unbanIp({ ip, category });
    await bansChanged();
  });
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += TOGETHER)
    await Promise.all(items.slice(at, at + TOGETHER).map(work));
}
