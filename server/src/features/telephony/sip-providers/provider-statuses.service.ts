import type { Clock } from '../../../lib/clock.ts';
import type { ProviderHistoryStore, ProviderMove } from './provider-history.store.ts';
import type { ProviderStates } from './provider-states.ts';
import { statistics } from './provider-statistics.ts';
import { isLost, type ShownState, shownState, statusRecord } from './provider-status.ts';
import { isInService, type SipProvider } from './sip-provider.ts';
import type { SipProviderStore } from './sip-providers.store.ts';

interface ProviderStatusParts {
  readonly store: SipProviderStore;
  readonly history: ProviderHistoryStore;
  readonly states: ProviderStates;
  readonly clock: Clock;
  /** Called when a move could not be stored; the write it belongs to is done. */
  readonly onError: (error: unknown) => void;
}

const STATISTICS_MS = 30 * 24 * 3_600_000;

/** Current and past states of providers (contract 4.4). */
export function createProviderStatuses({ store, history, states, clock, onError }: ProviderStatusParts) {
  async function statusOf(provider: SipProvider) {
    const snapshot = await states.current();
    const now = clock.now();
    return { record: statusRecord(provider, snapshot, now), engineLost: isLost(snapshot, now) };
  }

  return {
    /** Statuses of all providers, enabled or not. */
    async statuses() {
      const [providers, snapshot] = await Promise.all([store.recent(), states.current()]);
      const now = clock.now();
      return {
        records: Object.fromEntries(providers.map((one) => [one.id, statusRecord(one, snapshot, now)])),
        engineLost: isLost(snapshot, now),
      };
    },

    statusOf,

    /** Asks the engine now. A disabled provider needs no asking. */
    async freshStatusOf(provider: SipProvider) {
      if (!provider.disabled) await states.refresh(provider.id);
      return statusOf(provider);
    },

    history: (id: string, limit: number): Promise<ProviderMove[]> => history.events(id, limit),

    async statistics(provider: SipProvider) {
      const to = clock.now();
      const from = Math.min(to, Math.max(provider.createdAt, to - STATISTICS_MS));
      return { from, to, ...statistics(await history.moves(provider.id), from, to) };
    },

    /** Records a state that the engine reported. A late one about a provider out of service is ignored. */
    async recordProviderState(id: string, state: ShownState): Promise<void> {
      const provider = await store.find(id);
      if (provider && isInService(provider)) await history.record(id, state);
    },

    /** After a provider was stored: disable → OFF, enable → UNKNOWN, then the state known without asking. */
    async noteWrite(before: SipProvider | undefined, after: SipProvider): Promise<void> {
      try {
        const snapshot = await states.current();
        const shown = (provider: SipProvider) => shownState(provider, snapshot, clock.now()).state;
        if (before && before.disabled !== after.disabled) {
          await history.record(after.id, shown(before));
          if (before.disabled) await history.record(after.id, 'UNKNOWN');
        }
        await history.record(after.id, shown(after));
      } catch (error) {
        onError(error);
      }
    },
  };
}

export type ProviderStatuses = ReturnType<typeof createProviderStatuses>;
