import { contains } from '../../../lib/network.ts';
import type { AllowList } from './allow-list.ts';
import type { BanStore } from './bans.store.ts';

/** Edits by other tools are swept within 60 s (contract 7.5); a failed sweep is retried after this time. */
const RETRY_MS = 20_000;

interface SweepParts {
  readonly allowList: AllowList;
  readonly bans: BanStore;
  readonly onError: (error: unknown) => void;
}

/**
 * Lifts every ban equal to or inside an entry added to the allow-list. Only entries new since the last sweep count: a
 * ban that another program writes later stays.
 */
export function createAllowListSweep({ allowList, bans, onError }: SweepParts) {
  let swept = new Set<string>();
  let last: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    await allowList.settle();
    const entries = allowList.entries().map(({ network }) => network);
    const added = entries.filter((network) => !swept.has(network.text));
    if (added.length > 0) {
      await bans.settle();
      await bans.liftAll(
        bans.list().filter((ban) => added.some((network) => contains(network, ban.network))),
      );
    }
    swept = new Set(entries.map((network) => network.text));
  }

  /** Sweeps run one after the other: two at once would each miss entries that the other has seen. */
  function sweep(): Promise<void> {
    last = last.catch(() => {}).then(run);
    return last;
  }

  const background = () => void sweep().catch(onError);
  allowList.onChange(background);
  const timer = setInterval(background, RETRY_MS);
  timer.unref();
  background();

  return {
    /** Resolves when every entry stored before this call has been applied. */
    sweep,
    async close(): Promise<void> {
      clearInterval(timer);
      await last.catch(() => {});
    },
  };
}

export type AllowListSweep = ReturnType<typeof createAllowListSweep>;
