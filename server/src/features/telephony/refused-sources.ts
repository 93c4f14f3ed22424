import type { Clock } from '../../lib/clock.ts';
import { isUnbannable } from '../../lib/network.ts';
import type { Ban, BanStore } from '../firewall/bans/bans.store.ts';

/** No timer runs longer; it then checks again. */
const LONGEST_WAIT_MS = 3_600_000;

/** Telephony bans, which the engine enforces itself: at once, and only as long as they last (contract 7). */
export function createRefusedSources({ bans, clock }: { bans: BanStore; clock: Clock }) {
  const listeners: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;
  let isClosed = false;

  const current = () =>
    bans
      .list()
      .filter(
        ({ category, network, expiresAt }) =>
          category === 'sip' && expiresAt > clock.now() && !isUnbannable(network),
      );

  function tell(): void {
    for (const listener of listeners) listener();
  }

  /** Stores report the end of a ban only on cleanup; the engine should know it at once. */
  function wakeAt(end: number): void {
    if (end >= wakesAt) return;
    clearTimeout(timer);
    wakesAt = end;
    timer = setTimeout(
      () => {
        wakesAt = Number.POSITIVE_INFINITY;
        tell();
        wakeAtNextEnd(current());
      },
      Math.max(0, Math.min(end - clock.now(), LONGEST_WAIT_MS)),
    ).unref();
  }

  const wakeAtNextEnd = (list: readonly Ban[]) =>
    wakeAt(list.reduce((end, { expiresAt }) => Math.min(end, expiresAt), Number.POSITIVE_INFINITY));

  bans.listen((category, _network, expiresAt) => {
    // The store keeps notifying until it is closed itself.
    if (isClosed || category !== 'sip') return;
    if (expiresAt !== undefined) wakeAt(expiresAt);
    tell();
  });

  return {
    sources(): string[] {
      const list = current();
      // Nothing is notified about bans older than this service.
      wakeAtNextEnd(list);
      return list.map(({ network }) => network.text);
    },
    onChange(listener: () => void): void {
      listeners.push(listener);
    },
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
