import type { Clock } from '../../../lib/clock.ts';
import type { Network } from '../../../lib/network.ts';
import type { EventLog } from '../../../store/events/event-log.ts';
import type { BanReasonStore } from './ban-reasons.store.ts';
import { type BanListener, type BanStore, CATEGORIES, type Category } from './bans.store.ts';

const WINDOW_MS = 1000;
/** Contract 30, `ban`: when more bans change within a second, only the counts are published. */
const MAX_SINGLE = 200;
/** A ban removed with no more than this left counts as expired, whoever removed it. */
const EXPIRED_MS = 1000;
/** A re-read key may seem to end a little later, or earlier by the difference of two clocks; that is no new ban. */
const LATER_MS = 1500;
const EARLIER_MS = 60_000;

interface BanEventParts {
  readonly bans: Pick<BanStore, 'listen'>;
  readonly reasons: Pick<BanReasonStore, 'of'>;
  readonly events: EventLog;
  readonly clock: Clock;
  /** The clock of `expiresAt` in the ban store. */
  readonly steady: Clock;
}

/** Publishes an event for each ban that is added, lifted or expires. */
export function createBanEvents({ bans, reasons, events, clock, steady }: BanEventParts) {
  const known = new Map<string, number>();
  const counts: Record<Category, number> = { sip: 0, http: 0, ami: 0, iax: 0 };
  let told = 0;
  let untold = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Bans that exist before the start get no event: the snapshot contains them. */
  let isStarted = false;
  let isClosed = false;

  const counted = () => ({
    total: CATEGORIES.reduce((sum, category) => sum + counts[category], 0),
    categories: { ...counts },
  });
  const keep = () => ({ subject: 'counts', data: counted() });

  /** Every node sees every ban; only the speaker publishes. */
  function tellCounts(): void {
    if (isClosed || !events.isSpeaker) return;
    events.publish({ topic: 'bans', event: 'bans', data: counted(), keep: keep() });
  }

  function nextWindow(): void {
    timer = undefined;
    if (untold > 0) tellCounts();
    told = 0;
    untold = 0;
  }

  function tell(
    category: Category,
    network: Network,
    change: 'added' | 'lifted' | 'expired',
    end: number,
  ): void {
    if (isClosed || !events.isSpeaker) return;
    timer ??= setTimeout(nextWindow, WINDOW_MS).unref();
    if (++told > MAX_SINGLE) {
      untold++;
      return;
    }
    const data = {
      value: network.text,
      category,
      origin: 'pbx-fail2ban',
      scenario: `pbx/${category}`,
      change,
      expiresAt: end === Infinity ? 0 : Math.ceil((end - steady.now() + clock.now()) / 1000),
      ...(change === 'added' && { reason: reasons.of(category, network) ?? null }),
    };
    events.publish({ topic: 'bans', event: 'ban', data, keep: keep() });
  }

  const hear: BanListener = (category, network, expiresAt) => {
    const name = `${category} ${network.text}`;
    const before = known.get(name);
    if (expiresAt === undefined) {
      if (before === undefined) return;
      known.delete(name);
      counts[category]--;
      const change = before - steady.now() <= EXPIRED_MS ? 'expired' : 'lifted';
      if (isStarted) tell(category, network, change, before);
      return;
    }
    known.set(name, expiresAt);
    if (before === undefined) counts[category]++;
    else if (expiresAt <= before + LATER_MS && expiresAt >= before - EARLIER_MS) return;
    if (isStarted) tell(category, network, 'added', expiresAt);
  };

  return {
    start(): void {
      bans.listen(hear);
      isStarted = true;
      events.onSpeaker(tellCounts);
      // The lost events may have included the latest counts.
      events.onBreak(tellCounts);
      tellCounts();
    },
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
