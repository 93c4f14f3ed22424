import type { Clock } from '../../../lib/clock.ts';
import type { EventLog } from '../../../store/events/event-log.ts';
import type { ApiKeyRow } from './api-keys.store.ts';

/** Contract 30, `bouncer`: at most one event per key and second. */
const WINDOW_MS = 1000;
/** Polls that come together are looked at together. */
const GATHER_MS = 50;
/** How often it is looked who became late, and what bouncers do not know yet. */
const LOOK_MS = 5000;

type LastPoll = Pick<ApiKeyRow, 'last_poll_at' | 'last_poll_ip' | 'user_agent'>;
/** As a key shows it (contract 36). */
type Shown = object & { readonly last_poll_at: string };

interface PollEventParts {
  readonly events: EventLog;
  readonly clock: Clock;
  readonly list: () => Promise<readonly ApiKeyRow[]>;
  /** What is shown of those of the keys that are a bouncer's, by id. */
  readonly show: (rows: readonly ApiKeyRow[]) => Promise<ReadonlyMap<number, Shown>>;
  readonly onError: (error: unknown) => void;
}

/**
 * Tells of bouncers: of each poll, and when they become late or are to be told more. A poll only leaves its name here;
 * while nobody follows them nothing is looked up and nothing told, and who begins to is told what there is then.
 */
export function createPollEvents({ events, clock, list, show, onError }: PollEventParts) {
  let polled = new Map<number, LastPoll>();
  /** Whether all are to be looked at, not only those that polled. */
  let isAllDue = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;

  const isHeard = () => events.isHeard('bouncers');

  function tell(id: number, data: object): void {
    const told = { id: String(id), ...data };
    events.publish({
      topic: 'bouncers',
      event: 'bouncer',
      data: told,
      keep: { subject: String(id), data: told },
    });
  }

  /** The key is gone. */
  function forget(id: string): void {
    polled.delete(Number(id));
    if (isClosed || !events.kept('bouncers').has(id)) return;
    const data = { id, deleted: true };
    events.publish({ topic: 'bouncers', event: 'bouncer', data, keep: { subject: id } });
  }

  async function look(): Promise<void> {
    const [due, isOfAll] = [polled, isAllDue];
    polled = new Map();
    isAllDue = false;
    lookedAt = performance.now();
    // Looked at before the list: a key that is made meanwhile is not gone.
    const before = [...events.kept('bouncers').keys()];
    const rows = (await list()).map((row) => ({ ...row, ...due.get(row.id) }));
    const shown = await show(isOfAll ? rows : rows.filter(({ id }) => due.has(id)));
    if (isClosed) return;
    const told = events.kept('bouncers');
    for (const [id, item] of shown) {
      const last = told.get(String(id));
      const known = last === undefined ? undefined : (JSON.parse(last) as Shown);
      if (due.has(id) || !known) tell(id, item);
      else if (comparable(item) !== comparable(known)) tell(id, { ...item, ...laterPoll(item, known) });
    }
    if (!isOfAll) return;
    for (const id of before) if (!shown.has(Number(id))) forget(id);
  }

  /** One look at a time. */
  function lookNow(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    running = running.then(() => (isClosed ? undefined : look())).catch(onError);
    return running;
  }

  function schedule(): void {
    if (isClosed) return;
    timer ??= setTimeout(
      () => void lookNow(),
      Math.max(GATHER_MS, lookedAt + WINDOW_MS - performance.now()),
    ).unref();
  }

  /** By the node that speaks: others see the same. */
  function lookAtAll(): void {
    if (!isHeard() || !events.isSpeaker) return;
    isAllDue = true;
    schedule();
  }
  const looks = setInterval(lookAtAll, LOOK_MS).unref();
  events.onSpeaker(lookAtAll);
  events.onBreak(lookAtAll);
  // Whoever begins to follow them on this node waits for it.
  events.onHeard(async (topic) => {
    if (topic !== 'bouncers') return;
    isAllDue = true;
    await lookNow();
  });

  return {
    polled(id: number, address: string, userAgent: string): void {
      polled.set(id, {
        last_poll_at: clock.now(),
        last_poll_ip: address,
        user_agent: userAgent.slice(0, 255),
      });
      if (isHeard()) schedule();
    },
    forget,
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(looks);
      clearTimeout(timer);
      await running;
    },
  };
}

/** That time goes by is no event, and of polls the node that answers them knows best. */
const comparable = (shown: Shown): string =>
  JSON.stringify({
    ...shown,
    id: '',
    last_poll_at: '',
    last_poll_ip: '',
    user_agent: '',
    interval_seconds: 0,
    seconds_since: 0,
  });

/** The poll that another node told, where this one has not read of it yet. */
function laterPoll(shown: Shown, known: Shown): object {
  if (known.last_poll_at <= shown.last_poll_at) return {};
  const { last_poll_at, last_poll_ip, user_agent } = known as Shown & Record<string, unknown>;
  return { last_poll_at, last_poll_ip, user_agent };
}
